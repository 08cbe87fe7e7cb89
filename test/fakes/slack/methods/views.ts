import { Refusal, textOf } from "../wire.js";
import type { Methods } from "./method.js";

/** Modals, and the address of a socket. */
export const otherMethods: Methods = {
  "views.open": {
    run({ app, args, world }) {
      const triggerId = args.need("trigger_id");
      const view = args.object("view", "invalid_arguments");
      if (!view || textOf(view, "type") !== "modal" || !view.title || !Array.isArray(view.blocks))
        throw new Refusal("invalid_arguments");
      if (view.blocks.length > 100) throw new Refusal("invalid_arguments");
      return { view: world.interactions.openView(app, triggerId, view) };
    },
  },
  "apps.connections.open": {
    isForAppToken: true,
    run: ({ app, world }) => ({ url: world.sockets.issue(app) }),
  },
};
