import type { VNode } from "preact";
import { useRoom } from "../cast.js";
import { Avatar } from "./avatar.js";

/** What a room without messages offers to say, with the names of those who are here. */
function suggestions(first: string, second: string): readonly string[] {
  return [
    `@${first} plan a launch for our new product`,
    `@${first} argue with @${second} about tabs and spaces`,
    "/agent room",
  ];
}

/** The first thing to see in a room without messages. */
export function Welcome({ label }: { readonly label: string }): VNode {
  const { cast, composer } = useRoom();
  const here = cast.roster.filter((member) => !member.missing);
  const [first, second] = [here[0]?.name ?? "alpha", here[1]?.name ?? "beta"];
  return (
    <div class="welcome">
      <div class="welcome-faces" aria-hidden="true">
        {here.slice(0, 5).map((member) => (
          <Avatar key={member.name} name={member.displayName} avatar={member.avatar} tone={cast.toneOf(member.name)} />
        ))}
      </div>
      <h2>Welcome to {label}</h2>
      <p>
        Everybody in this room reads along. Mention a persona with <kbd>@</kbd> and it answers; a persona that mentions
        another brings it into the conversation.
      </p>
      <ul>
        {suggestions(first, second).map((text) => (
          <li key={text}>
            <button type="button" class="suggestion" onClick={() => composer.current?.fill(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
