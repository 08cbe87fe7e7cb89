import { vi } from "vitest";
import { createProject } from "../support/cli.js";
import { call, json } from "../support/http-client.js";
import { type ShownEntry, WEB_ROOM, webPerson } from "../support/web-room.js";
import { afternoonProject, FACES } from "./afternoon.js";
import type { ScenarioDriver, Shown } from "./scenario.js";
import { PATIENCE, serviceOn } from "./service-under-scenario.js";

const ROOM = `/api/rooms/${encodeURIComponent(WEB_ROOM)}`;

interface RoomWithNotices {
  readonly notices: readonly {
    readonly id: string;
    readonly view: {
      readonly text: string;
      readonly buttons?: readonly { readonly action: string; readonly value: string; readonly label: string }[];
    };
  }[];
}

/** The web room of a service: one person, who takes all parts; no threads, and nothing is edited. */
export async function startWebScenario(): Promise<ScenarioDriver> {
  const service = serviceOn(createProject(afternoonProject()), {});
  await service.start();

  const person = () => webPerson(service.now);

  async function room(): Promise<RoomWithNotices> {
    const { port, key } = service.now;
    // Our own service's form, as product.md has it.
    return json(await call(port, ROOM, { key })) as RoomWithNotices;
  }

  async function shown(): Promise<readonly Shown[]> {
    const entries = await person().entries();
    const { notices } = await room();
    const lines = entries.filter(({ kind }) => kind === "message" || kind === "error" || kind === "notice");
    // A notice stands as it is now, not as it was written.
    return lines.map((entry) => {
      const notice = notices.find(({ id }) => id === entry.id || id === noticeOf(entry));
      const isPersona = FACES.some(
        ({ name, displayName }) => name === entry.sender.id && displayName === entry.sender.name,
      );
      return {
        from: notice === undefined ? entry.sender.name : "Troupe",
        text: notice?.view.text ?? entry.text,
        place: WEB_ROOM,
        hasPersonasFace: entry.sender.kind === "agent" && isPersona,
      };
    });
  }

  return {
    can: new Set(),
    say: ({ text }) => person().say(text),
    edit: cannot,
    remove: cannot,
    bot: cannot,
    async press(_, label) {
      const button = await vi.waitFor(async () => {
        const buttons = (await room()).notices.flatMap(({ view }) => view.buttons ?? []);
        const found = buttons.find((one) => one.label === label);
        if (found === undefined) throw new Error(`there is no button "${label}"`);
        return found;
      }, PATIENCE);
      const { port, key } = service.now;
      const body = JSON.stringify({ action: button.action, value: button.value });
      const { status, text } = await call(port, `${ROOM}/actions`, { method: "POST", key, body });
      if (status !== 200) throw new Error(`the press was refused: ${text}`);
    },
    pressAgain: cannot,
    command: cannot,
    trouble() {
      throw new Error("the web room has no such trouble");
    },
    end: (how) => service.end(how),
    start: () => service.start(),
    see: ({ from, text }) =>
      vi.waitFor(async () => {
        const lines = await shown();
        if (lines.some((line) => (from === undefined || line.from === from) && line.text.includes(text))) return;
        throw new Error(`nobody sees "${from ?? "the app"}: ${text}", but ${JSON.stringify(lines)}`);
      }, PATIENCE),
    told: cannot,
    atWork: (persona) => service.atWork(persona),
    shown,
    accounts: () => service.accounts("web"),
    transcript: async () => (await shown()).map(({ from, text }) => `${from}: ${text}`),
  };
}

function noticeOf(entry: ShownEntry): unknown {
  return "notice" in entry ? entry.notice : undefined;
}

function cannot(): Promise<never> {
  return Promise.reject(new Error("the web room cannot do this"));
}
