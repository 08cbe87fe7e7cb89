import { explainTrip } from "../../domain/pause-view.js";
import { membersOf } from "../../domain/room.js";
import { readBurst } from "../budget.js";
import { pairsOf } from "../guard/pairs.js";
import { answer, type Command, type CommandCall } from "./command.js";

/** `/agent room`: roster, host, burst and settings. */
export const room: Command = {
  name: "room",
  usage: "",
  inputs: [],
  summary: "Show who is here, the host, the burst and the settings",
  who: "all",
  async run(call) {
    const { context, session } = call;
    const settings = await context.rooms.settings(call.room.value);
    const burst = await readBurst(context.store, session, settings.budget);
    const exhausted = burst.used >= burst.budget ? ", exhausted: a person's message or Continue restarts it" : "";
    return answer({
      title: call.room.room,
      text: roster(call),
      fields: [
        { label: "Host", value: hostLine(call) },
        { label: "Burst", value: `${burst.used}/${burst.budget} (${settings.budgetSource})${exhausted}` },
        ...(await pairFields(call)),
        { label: "Fan-out", value: String(settings.fanout) },
        { label: "Wake", value: settings.wake },
        { label: "Reply", value: settings.reply },
      ],
    });
  },
};

/** `/agent list`: the personas known to the team, and which of them are here. */
export const list: Command = {
  name: "list",
  usage: "",
  inputs: [],
  summary: "List the team's personas",
  who: "all",
  run({ context, room }) {
    const team = context.team();
    const here = new Set(context.rooms.members(room.value));
    const personas = team.handles.map((name) => {
      const { description = "", avatar } = team.persona(name) ?? {};
      return { name, displayName: team.displayName(name), description, avatar, here: here.has(name) };
    });
    const lines = personas.map(({ name, displayName, description, here: isHere }) => {
      return `- **${displayName}** (\`${name}\`)${isHere ? ", in this room" : ""}${description ? `: ${description}` : ""}`;
    });
    return Promise.resolve(
      answer({ title: `Team ${team.name}`, text: lines.join("\n") || "No personas." }, { personas }),
    );
  },
};

async function pairFields({ context, session }: CommandCall) {
  const nameOf = context.team().displayName;
  const pairs = await pairsOf(context.store, session);
  return pairs
    .filter(({ value }) => value.state !== "open")
    .map(
      ({
        value: {
          sides: [a, b],
          state,
          trip,
          held,
        },
      }) => {
        const why = trip === undefined ? "" : `: ${explainTrip(trip)}`;
        return { label: `${nameOf(a.agent)} and ${nameOf(b.agent)}`, value: `${state}, ${held} held${why}` };
      },
    );
}

function roster({ context, room }: CommandCall): string {
  const team = context.team();
  const members = membersOf(room.value, team.handles);
  if (members.length === 0) return "Nobody is attached. Add somebody: /agent add NAME";
  const lines = members.map(({ name, missing }) => {
    const marks = [name === room.value.host ? "host" : "", missing ? "missing: its file is gone" : ""]
      .filter(Boolean)
      .join(", ");
    return `- **${team.displayName(name)}** (\`${name}\`)${marks ? `, ${marks}` : ""}`;
  });
  const inert = members.length < 2 ? ["The burst budget has no effect until two personas are here."] : [];
  return [...lines, ...inert].join("\n");
}

function hostLine({ context, room }: CommandCall): string {
  const { host } = room.value;
  if (host === undefined) return "none (the first attached answers where a message needs no mention)";
  const isHere = context.rooms.members(room.value).includes(host);
  return isHere ? context.team().displayName(host) : `${host}, dangling: choose another with /agent host NAME`;
}
