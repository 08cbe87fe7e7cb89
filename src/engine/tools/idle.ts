import { z } from "zod";
import { defineTool } from "./room-tool.js";

/** Ends the turn in silence. What else the turn says is not posted; the brain stops at this call. */
export const idle = defineTool({
  name: "idle",
  description: "End your turn without saying anything. Use it when no answer is needed.",
  class: "idle",
  input: z.strictObject({ reason: z.string().max(500).optional() }),
  run: () => Promise.resolve({ ok: true, text: "Your turn ends here." }),
});
