import { describe, expect, it } from "vitest";
import { MAX_MESSAGE_LENGTH } from "../../src/engine/config.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { ANN, ROOM, scripted, startRooms } from "../support/rooms.js";
import { watchStore } from "../support/watched-store.js";

const message = { id: "m1", session: ROOM, from: ANN, text: "@alpha hello", at: 1 };

async function watchedRooms() {
  const inner = createMemoryStore();
  await inner.open();
  const store = watchStore(inner);
  return { store, rooms: await startRooms({ personas: [scripted("alpha", "hi")], store }) };
}

describe("a message from outside", () => {
  it("that is too long is refused with the mend, and nothing is kept", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "hi")] });
    const text = "x".repeat(MAX_MESSAGE_LENGTH + 1);

    await expect(rooms.chat.inbox.message({ ...message, text })).rejects.toMatchObject({
      code: "message_too_long",
      retryable: false,
      message: "the message is longer than 100000 characters; send it in parts or as a file",
    });

    expect(await rooms.log()).toEqual([]);
    await expect(rooms.chat.inbox.message({ ...message, text: text.slice(1) })).resolves.toMatchObject({ seq: 1 });
  });

  it.each(["", "general", "Fake:T:general", "fake:T", "fake:T:a b", "fake:T:a:b:c"])(
    "for a session that cannot be (%j) is refused",
    async (session) => {
      const rooms = await startRooms({ personas: [scripted("alpha", "hi")] });

      await expect(rooms.chat.inbox.message({ ...message, session })).rejects.toMatchObject({ code: "invalid_input" });
    },
  );

  it("is kept without NUL and control characters", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "you said {{text}}")] });

    await rooms.say("@alpha a\u0000b\u0007\r\nc\td");

    expect(await rooms.lines()).toEqual(["Ann: @alpha ab\nc\td", "Alpha: you said @alpha ab\nc\td"]);
  });

  it("is accepted although somebody else changed the room meanwhile", async () => {
    const { store, rooms } = await watchedRooms();
    let conflicts = 3;
    store.before = () => (conflicts-- > 0 ? "conflict" : undefined);

    await rooms.say("@alpha hello");

    expect(await rooms.lines()).toEqual(["Ann: @alpha hello", "Alpha: hi"]);
  });

  it("is refused as something to send again when the room keeps changing or the store fails", async () => {
    const { store, rooms } = await watchedRooms();

    store.before = () => "conflict";
    await expect(rooms.chat.inbox.message(message)).rejects.toMatchObject({
      code: "store_unavailable",
      retryable: true,
    });
    store.before = () => "fails";
    await expect(rooms.chat.inbox.message(message)).rejects.toMatchObject({
      code: "store_unavailable",
      retryable: true,
    });
    store.before = () => undefined;
    expect(await rooms.log()).toEqual([]);

    await rooms.say(message.text, message);
    expect(await rooms.lines()).toEqual(["Ann: @alpha hello", "Alpha: hi"]);
  });
});
