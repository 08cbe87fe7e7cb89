import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loadConfig } from "../config/load.js";
import { packageDir } from "../package.js";
import { createDemoRoom, type DemoRoom } from "./demo-room.js";
import { createTranscript, type Transcript } from "./demo-transcript.js";
import { EXIT } from "./failure.js";
import type { Io } from "./terminal.js";

const DEADLINE_MS = 30_000;
/** A pause before each line on a terminal, so that it reads like a conversation. */
const PACE_MS = 120;

/** `troupe demo`: the engine, its file store and the demo personas, without a browser or a port. Returns the exit code. */
export async function demo(io: Io): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "troupe-demo-"));
  try {
    const config = await loadConfig({ env: {}, cwd: folder, flags: { data: folder }, packageDir });
    const room = createDemoRoom(config);
    await room.start();
    try {
      await play(room, createTranscript(io), io.stdout.isTTY ? PACE_MS : 0);
    } finally {
      await room.stop();
    }
    return EXIT.ok;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(room: DemoRoom, transcript: Transcript, paceMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const scene = async (title: string, act: () => Promise<unknown>) => {
    transcript.title(title);
    await act();
    for (const line of await room.newLines(deadline)) {
      if (paceMs > 0) await sleep(paceMs, undefined, { signal: deadline });
      transcript.line(line);
    }
  };
  await scene("A person asks Alpha, who brings in Beta. They settle it.", () => room.say("@alpha plan a launch"));
  await scene("Asked to argue, they would never stop. The budget of the room stops them.", () =>
    room.say("@alpha argue with @beta about tabs"),
  );
  await scene("A person continues. The tenth message back and forth, without any progress, is one too many.", () =>
    room.press("troupe:continue"),
  );
  await scene(
    "It stays visible, but Alpha did not get it. A person resumes: it is delivered, once, and they settle.",
    () => room.press("troupe:resume"),
  );
  transcript.close("npm start opens the same room in your browser.");
}
