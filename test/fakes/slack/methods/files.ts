import { checkBlocks } from "../block-rules.js";
import { fullFileWire } from "../file-wire.js";
import type { SlackFile } from "../model.js";
import { isRecord, Refusal, records, textOf } from "../wire.js";
import { readIdentity, readThread } from "./content.js";
import { type Call, type Methods, writableChannel } from "./method.js";

/** The two calls around an upload, and looking a file up. */
export const fileMethods: Methods = {
  "files.getUploadURLExternal": {
    scope: "files:write",
    run({ app, args, world }) {
      const length = args.count("length");
      if (!length) throw new Refusal("invalid_arguments");
      const id = world.files.expect({ name: args.need("filename"), length, ownerId: app.userId });
      return { upload_url: `${world.url()}/upload/${id}`, file_id: id };
    },
  },
  "files.completeUploadExternal": { scope: "files:write", run: complete },
  "files.info": {
    scope: "files:read",
    run(call) {
      const file = call.world.files.find(call.args.need("file"));
      if (!file) throw new Refusal("file_not_found");
      return {
        file: { ...fullFileWire(file, call.world.url(), call.world.workspace.team.id), shares: sharesWire(file) },
      };
    },
  },
};

/** Shares the files in one message. The answer does not say where that stands: only the event and `files.info` do. */
function complete(call: Call) {
  const { app, args, world } = call;
  const given = records(args.list("files", "invalid_arguments"));
  const files = given.map(({ id, title }) =>
    world.files.take(String(id), typeof title === "string" ? title : undefined),
  );
  const found = files.filter((file) => file !== undefined);
  if (given.length === 0 || found.length < files.length) throw new Refusal("file_not_found");
  if (args.has("channel_id")) {
    const channel = writableChannel(call, "channel_id");
    const comment = args.text("initial_comment") ?? "";
    const threadTs = readThread(call, channel.id);
    world.board.post(channel, {
      app,
      text: comment,
      blocks: readBlocks(call, comment),
      ...readIdentity(call),
      threadTs,
      files: found,
    });
  }
  return { files: found.map((file) => ({ id: file.id, title: file.title })) };
}

/** Blocks count only without a comment; Markdown among them breaks the method. */
function readBlocks({ args, world }: Call, comment: string) {
  const blocks = args.list("blocks", "invalid_blocks_format");
  if (!blocks?.length || comment !== "") return undefined;
  if (blocks.some((block) => isRecord(block) && textOf(block, "type") === "markdown"))
    throw new Refusal("internal_error");
  return checkBlocks(blocks, world.workspace.mintId);
}

function sharesWire(file: SlackFile) {
  const shares: Record<string, { ts: string; thread_ts?: string }[]> = {};
  for (const { channel, ts, threadTs } of file.shares) {
    const entry = threadTs === undefined ? { ts } : { ts, thread_ts: threadTs };
    shares[channel] = [...(shares[channel] ?? []), entry];
  }
  return { public: shares };
}
