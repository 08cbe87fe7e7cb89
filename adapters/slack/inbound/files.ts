import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Clock, FileRef, Logger } from "../../../src/index.js";
import { orLate } from "../../shared/or-late.js";
import { type SlackFile, type SlackMessage, slackFile } from "./wire.js";

/** The files that come with a message. Never rejects. */
export type FileReader = (message: SlackMessage) => Promise<readonly FileRef[]>;

interface FileReaderOptions {
  readonly reads: webApi.WebClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the message waits for has to be acknowledged within three seconds. */
const WAIT_MS = 1_000;
const UNKNOWN_TYPE = "application/octet-stream";

const filesInfo = z.object({ file: slackFile });

/** What the adapter fetches later goes by the file's id. In shared channels events hold no more than that, and the rest is asked for. */
export function createFileReader({ reads, clock, logger }: FileReaderOptions): FileReader {
  async function whole(file: SlackFile): Promise<SlackFile> {
    if (file.file_access !== "check_file_info") return file;
    const asked = reads.files.info({ file: file.id }).then(
      (answer) => filesInfo.safeParse(answer).data?.file ?? file,
      (error: unknown) => {
        logger.warn({ file: file.id, error }, "could not ask Slack about a file");
        return file;
      },
    );
    return orLate(asked, WAIT_MS, clock, file);
  }

  return async ({ files = [] }) => {
    const there = files.filter(({ mode }) => mode !== "tombstone" && mode !== "hidden_by_limit");
    return (await Promise.all(there.map(whole))).map(({ id, name, title, mimetype, size }) => ({
      name: name ?? title ?? id,
      type: mimetype ?? UNKNOWN_TYPE,
      size: size ?? 0,
      ref: id,
    }));
  };
}
