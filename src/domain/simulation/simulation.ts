import type { Entry } from "../entry.js";
import type { SessionId } from "../ids.js";
import type { MentionParser } from "../mention.js";
import type { IgnoreReason, Outcome, Part } from "../outcome.js";
import type { GuardSettings, Trip } from "../pair.js";
import type { RoomSettings } from "../settings.js";

/** An entry of a log, with what became of it when it was said. */
export interface Recorded {
  readonly entry: Entry;
  readonly outcome?: Outcome;
}

/** The room in which a log is replayed: who is in it, and the thresholds to try. */
export interface SimulatedRoom {
  readonly session: SessionId;
  /** Attached personas in attachment order. */
  readonly members: readonly string[];
  readonly host?: string;
  readonly defaultPersona?: string;
  readonly settings: Pick<RoomSettings, "budget" | "fanout" | "wake">;
  readonly guard: GuardSettings;
  readonly parse: MentionParser;
}

/** The guard's counters as they would be with a message. */
export interface Meters {
  readonly run: number;
  readonly repeats: number;
  /** Exchanges in the cap's window; 0 where the cap is off. */
  readonly window: number;
}

/** What would become of one addressee. */
export interface Delivery {
  readonly persona: string;
  readonly result: Part["result"];
  /** The burst that it was measured against; absent for a person's own words, which no budget limits. */
  readonly burst?: { readonly used: number; readonly budget: number };
  /** Absent where the guard did not count: it is off, the pair is paused, or the budget ended the burst. */
  readonly meters?: Meters;
  /** This message would pause the pair. */
  readonly trip?: Trip;
}

/** What would have become of an entry. */
export type Fate =
  | { readonly kind: "decided"; readonly deliveries: readonly Delivery[] }
  | { readonly kind: "ignored"; readonly reason: IgnoreReason }
  | { readonly kind: "superseded" }
  /** It would not have been said: the chain that led to it would have ended at `end`. */
  | { readonly kind: "unsaid"; readonly end?: Entry }
  /** Held messages would have been delivered. */
  | { readonly kind: "resumed"; readonly delivered: readonly Delivery[] }
  /** A button that nobody would have had to press. */
  | { readonly kind: "needless" };

/** One line of a replay: a message or a pressed button. */
export interface Step {
  readonly entry: Entry;
  readonly fate: Fate;
  /** Names in the text that were passed over: more than the fan-out, or known to nobody here. */
  readonly beyond: readonly string[];
  readonly unknown: readonly string[];
  readonly recorded?: Outcome;
  /** What is recorded is something else. */
  readonly differs: boolean;
}

/** A pause that the guard would have made, or a person had made. */
export interface Pause {
  readonly agents: readonly [string, string];
  readonly trip: Trip;
  /** The message that broke the rule; for a pause by hand, its record. */
  readonly entry: Entry;
  readonly held: number;
  readonly refused: number;
  readonly dropped: number;
  /** How it would have ended; absent while it goes on. */
  readonly end?: { readonly entry: Entry; readonly delivered: number };
}

/** A burst that the budget would have ended. */
export interface Exhaustion {
  /** The first message that woke nobody. */
  readonly entry: Entry;
  readonly used: number;
  readonly budget: number;
  readonly waiting: readonly string[];
  readonly continued?: Entry;
}

/** How near the guard would have come to one of its rules. */
export interface Peak {
  readonly reason: "alternation" | "repeats" | "cap";
  readonly count: number;
  readonly limit: number;
  readonly entry: Entry;
}

/** A replayed log. */
export interface Simulation {
  readonly steps: readonly Step[];
  readonly pauses: readonly Pause[];
  readonly exhaustions: readonly Exhaustion[];
  /** The highest count of each rule that is on, in the order of the rules; none before the first exchange. */
  readonly peaks: readonly Peak[];
}
