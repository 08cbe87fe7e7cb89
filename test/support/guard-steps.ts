import fc from "fast-check";
import type { InboundSender } from "../../src/ports/platform.js";
import type { Act } from "./puppets.js";
import { ANN, BOB, ROOM } from "./rooms.js";
import type { Fate } from "./watched-store.js";

/** The personas of the histories, and where they meet. */
export const NAMES = ["alpha", "beta", "gamma"] as const;
export const SESSIONS = [ROOM, `${ROOM}:t1`] as const;
const GUEST: InboundSender = { kind: "person", id: "fake:T:guest", name: "Gus", isAdmin: false, isGuest: true };
const BOT: InboundSender = { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: true };

/** Something that happens in the room or to the process. */
export type Step =
  | { readonly do: "plan"; readonly persona: string; readonly acts: readonly Act[] }
  /** A person or bot wakes a persona with a plan. */
  | {
      readonly do: "scene";
      readonly from: InboundSender;
      readonly to: string;
      readonly session: string;
      readonly acts: readonly Act[];
    }
  | { readonly do: "say"; readonly from: InboundSender; readonly to: string; readonly session: string }
  | {
      readonly do: "resume";
      readonly by: "button" | "command" | "http" | "words";
      readonly from: InboundSender;
      readonly nth: number;
      readonly session: string;
    }
  | { readonly do: "pause"; readonly a: string; readonly b: string; readonly session: string }
  | { readonly do: "drop" | "continue" | "retry"; readonly nth: number }
  | { readonly do: "guard"; readonly on: boolean }
  | { readonly do: "roster"; readonly persona: string; readonly add: boolean }
  | { readonly do: "time"; readonly seconds: number }
  | { readonly do: "set clock"; readonly seconds: number }
  | { readonly do: "open" | "crash" | "restart" }
  | { readonly do: "trouble"; readonly fate: Fate; readonly in: number }
  | { readonly do: "at once"; readonly steps: readonly Step[] };

/** Without a plan a persona goes on with whoever woke it, now and then in other words. */
export function habit(name: string, text: string): readonly Act[] {
  const others = NAMES.filter((other) => other !== name);
  const n = [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return n % 5 === 0 ? [] : [{ say: `@${others[n % 2]} ${WORDS[n % WORDS.length]} ${n}` }];
}

const WORDS = ["parked", "waiting here", "moving on then", "what next", "all green", "no idea", "let us see"];

const name = fc.constantFrom(...NAMES);
const session = fc.constantFrom(...SESSIONS);
const small = fc.nat(3);
const text = fc.tuple(fc.constantFrom(...WORDS), fc.nat(9)).map(([words, n]) => `${words} ${n}`);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ send: text, to: name }) },
  { weight: 4, arbitrary: fc.tuple(name, text).map(([to, words]) => ({ say: `@${to} ${words}` })) },
  { weight: 1, arbitrary: fc.tuple(name, name, text).map(([a, b, words]) => ({ say: `@${a} @${b} ${words}` })) },
  { weight: 2, arbitrary: fc.record({ work: fc.constantFrom("12 passed", "13 passed"), ok: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant<Act>({ wait: true }) },
  { weight: 1, arbitrary: fc.constant<Act>({ fail: "it broke" }) },
  { weight: 1, arbitrary: fc.constant<Act>({ say: "@Troupe resume" }) },
);
const acts = fc.array(act, { minLength: 1, maxLength: 8 });
const who = fc.constantFrom<InboundSender>(ANN, BOB, GUEST, BOT);

const oneStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("plan" as const), persona: name, acts }) },
  { weight: 14, arbitrary: fc.record({ do: fc.constant("scene" as const), from: who, to: name, session, acts }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("say" as const), from: who, to: name, session }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("resume" as const),
      by: fc.constantFrom("button", "command", "http", "words"),
      from: who,
      nth: small,
      session,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES.map((one, i) => [one, NAMES[(i + 1) % 3] ?? one] as const)), session)
      .map(([[a, b], where]): Step => ({ do: "pause", a, b, session: where })),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("drop" as const, "continue" as const, "retry" as const), nth: small }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("guard" as const), on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("roster" as const), persona: name, add: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("time" as const), seconds: fc.constantFrom(1, 11, 50, 200) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("set clock" as const), seconds: fc.constantFrom(-500, -40, 300) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("open" as const, "open" as const, "crash" as const, "restart" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("trouble" as const),
      fate: fc.constantFrom<Fate>("conflict", "conflict", "fails"),
      in: fc.nat(12),
    }),
  },
);

/** Any step, now and then several at once. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: oneStep },
  {
    weight: 1,
    arbitrary: fc
      .array(
        oneStep.filter((one) => ["say", "scene", "resume", "drop", "open", "pause", "roster"].includes(one.do)),
        { minLength: 2, maxLength: 3 },
      )
      .map((steps): Step => ({ do: "at once", steps })),
  },
);
