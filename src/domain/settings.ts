/** How a room behaves. Each value comes from the room, else from the configuration, else from the default. */
export interface RoomSettings {
  /** Agent messages in a row without a person. */
  readonly budget: number;
  /** How many mentioned personas one message may wake. */
  readonly fanout: number;
  /** `mention`: a person's message wakes only when it addresses somebody; `always`: every message does. */
  readonly wake: "mention" | "always";
  /** Where a top-level trigger is answered. */
  readonly reply: "thread" | "channel";
}

export type SettingKey = keyof RoomSettings;

/** A room's settings with where the budget comes from, as `/agent room` tells it. */
export interface EffectiveSettings extends RoomSettings {
  readonly budgetSource: "room setting" | "configuration" | "default";
}
