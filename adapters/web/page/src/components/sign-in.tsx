import type { VNode } from "preact";
import { useState } from "preact/hooks";
import icon from "../icon.svg";

export interface SignInProps {
  /** The last key was refused. */
  readonly refused: boolean;
  onKey(key: string): void;
}

/** Asks for the key when the page was opened without one, or with one that is over. */
export function SignIn({ refused, onKey }: SignInProps): VNode {
  const [typed, setTyped] = useState("");
  function submit(event: Event): void {
    event.preventDefault();
    // A whole link may be pasted as well.
    const key = /#(?:.*&)?key=([^&]+)/.exec(typed)?.[1];
    const value = key === undefined ? typed.trim() : decodeURIComponent(key);
    if (value !== "") onKey(value);
  }
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <img src={icon} alt="" width="48" height="48" />
        <h1>Welcome to Troupe</h1>
        <p>
          This room opens with a key. The service prints a link with it when it starts; where the operator chose the
          key, it is the admin token. Paste the link or the key here.
        </p>
        <label for="key">Key or link</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          value={typed}
          aria-invalid={refused}
          aria-describedby="key-problem"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <p id="key-problem" class="send-problem" role="alert">
          {refused
            ? "This key is not valid here. A key that was made at a start is over when the service starts again."
            : ""}
        </p>
        <button type="submit" class="action primary">
          Open the room
        </button>
      </form>
    </main>
  );
}
