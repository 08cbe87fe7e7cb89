import type { VNode } from "preact";
import type { Connection } from "../net/stream.js";

/** Says that the room is not live just now. Kept in the page while empty, so that screen readers hear it change. */
export function Banner({ connection }: { readonly connection: Connection }): VNode {
  return (
    <div class={connection.state === "waiting" ? "banner" : "banner empty"} role="status">
      {connection.state === "waiting" && (
        <>
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          The connection is lost. Trying again; nothing that was sent gets lost.
        </>
      )}
    </div>
  );
}
