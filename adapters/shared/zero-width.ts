/** Takes no room, and parts what stands on both of its sides. */
export const ZERO_WIDTH_SPACE = "\u200b";
