import type { Recorded } from "../../domain/simulation/simulation.js";

/** Somebody who speaks as a persona in what is replayed. */
export interface Speaker {
  /** Handle, as entries carry it. */
  readonly name: string;
  readonly displayName: string;
}

/** What a room was like, as far as a conversation shows it. */
export interface Traces {
  readonly host?: string;
  readonly wake?: "mention" | "always";
  readonly fanout?: number;
  /** The thread in which it stands, where it is not the channel itself. */
  readonly thread?: string;
}

/** A conversation to replay. */
export interface ReplayInput {
  readonly log: readonly Recorded[];
  readonly personas: readonly Speaker[];
  readonly traces: Traces;
}
