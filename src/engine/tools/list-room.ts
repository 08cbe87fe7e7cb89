import { z } from "zod";
import { readBurst } from "../budget.js";
import { defineTool } from "./room-tool.js";

/** Who is here and how much of the burst budget is left. */
export const listRoom = defineTool({
  name: "list_room",
  description:
    "List the personas in this room, the host, and how many agent messages are left before a person has to speak.",
  class: "messaging",
  input: z.strictObject({}),
  async run({ context, room, begun, persona }) {
    const team = context.team();
    const settings = await context.rooms.settings(room);
    const burst = await readBurst(context.store, begun.session, settings.budget);
    const members = context.rooms.members(room).map((name) => {
      const marks = [name === persona.name ? "you" : "", name === room.host ? "host" : ""].filter(Boolean).join(", ");
      const about = team.persona(name)?.description ?? "";
      return `@${name} (${team.displayName(name)})${marks ? ` [${marks}]` : ""}${about ? `: ${about}` : ""}`;
    });
    return {
      ok: true,
      text: [...members, `Agent messages without a person: ${burst.used} of ${burst.budget}.`].join("\n"),
    };
  },
});
