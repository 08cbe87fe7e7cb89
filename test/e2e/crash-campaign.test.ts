import { describe, expect, it, onTestFinished } from "vitest";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { allLogs, logProblems, postProblems } from "../support/log-checks.js";
import { createTempDir } from "../support/temp-dir.js";
import { runCampaign } from "./campaign/campaign.js";
import { differences } from "./campaign/conversations.js";

const isLong = process.env.TROUPE_LONG === "1";
const CONVERSATIONS = isLong ? 200 : 30;
const KILLS = isLong ? 40 : 5;

describe("a process that is killed in the middle of conversations", () => {
  it(
    `answers every message of ${CONVERSATIONS} conversations exactly once and in order, over ${KILLS} kills`,
    async () => {
      const folder = createTempDir();
      onTestFinished(folder.remove);

      const { chat, conversations, killed, redelivered, violations } = await runCampaign({
        dataDir: folder.path,
        conversations: CONVERSATIONS,
        kills: KILLS,
        seed: 20_260_105,
      });

      const store = createSqliteStore({ dataDir: folder.path });
      await store.open();
      const logs = await allLogs(store);
      expect(await store.dirty(10)).toEqual([]);
      expect(await store.due("outbox", Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      await store.close();

      expect(violations).toEqual([]);
      expect([...logs].flatMap(([session, log]) => logProblems(session, log))).toEqual([]);
      expect([...logs].flatMap(([session, log]) => postProblems(session, log, chat.posted))).toEqual([]);
      const answers = conversations.flatMap((one) => {
        const log = logs.get(one.session) ?? [];
        const accepted = log.filter(({ entry }) => one.messages.some(({ id }) => id === entry.id));
        const texts = log.flatMap(({ entry }) =>
          entry.kind === "message" && entry.sender.kind === "agent" && one.has(entry.text) ? [entry.text] : [],
        );
        return [
          ...(accepted.length === one.messages.length ? [] : [`${one.session}: a message is missing`]),
          ...differences(one, texts),
        ];
      });
      expect(answers).toEqual([]);
      // The campaign has done what it is for.
      expect(killed.working + killed.starting).toBe(KILLS);
      expect(redelivered).toBeGreaterThan(0);
    },
    isLong ? 600_000 : 60_000,
  );
});
