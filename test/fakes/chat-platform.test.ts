import { viewText } from "../../src/domain/view.js";
import type { Post } from "../../src/ports/platform.js";
import { postPlatformContract } from "../contract/platform.js";
import { createFakeRooms } from "../support/fake-rooms.js";
import { createFakeChat } from "./chat-platform.js";

const SESSION = "fake:home:general";

const textOf = ({ body }: Post) => (body.kind === "text" ? body.text : viewText(body.view));

postPlatformContract("The fake chat", async () => {
  const platform = createFakeChat();
  return {
    platform,
    inbox: createFakeRooms().inbox,
    session: SESSION,
    nowhere: "other:home:general",
    people: ["ann", "bob"],
    async seen(person) {
      const posts = platform.messages.map(({ post }) => ({
        name: post.identity?.displayName ?? "App",
        text: textOf(post),
      }));
      const whispers = platform.whispers.filter(({ to }) => to === person);
      return [...posts, ...whispers.map(({ view }) => ({ name: "App", text: viewText(view) }))];
    },
    refuseStart: () => platform.failStarts(1),
    loseAnswer: () => platform.fail({ kind: "accept-then-drop" }),
    refusePost: () => platform.fail({ kind: "reject", reason: "not allowed here" }),
    close: async () => {},
  };
});
