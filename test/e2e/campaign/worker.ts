import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Answers, ChatAnswer, ChatCall, FromWorker, Request, ToWorker } from "./protocol.js";

const SCRIPT = fileURLToPath(new URL("../workers/campaign-worker.ts", import.meta.url));
const LOADER = resolve(import.meta.dirname, "../../../node_modules/tsx/dist/loader.mjs");

/** A worker has died before it answered. */
export class WorkerDied extends Error {}

export interface WorkerOptions {
  readonly dataDir: string;
  /** A call of the worker's platform; `undefined` breaks the connection. Not answered at all: throws. */
  readonly onCall: (call: ChatCall) => Promise<ChatAnswer>;
  readonly onViolation: (text: string) => void;
}

/** A process of its own on the campaign's data folder. */
export interface Worker {
  /** Resolves when it serves; rejects with `WorkerDied` when it dies before. */
  readonly ready: Promise<void>;
  ask<K extends Request["type"]>(request: Extract<Request, { type: K }>): Promise<Answers[K]>;
  kill(): void;
  /** Resolves when the process is gone and everything that it had sent has been taken in. */
  readonly gone: Promise<void>;
}

export function startWorker({ dataDir, onCall, onViolation }: WorkerOptions): Worker {
  const child = fork(SCRIPT, [dataDir], {
    execArgv: ["--import", LOADER],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const gone = goneOf(child);
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  let isReady = () => {};
  const ready = new Promise<void>((done, reject) => {
    isReady = done;
    void gone.then(() => reject(new WorkerDied("it died while it started")));
  });
  ready.catch(() => undefined);
  void gone.then(() => {
    for (const { reject } of waiting.values()) reject(new WorkerDied("it died before it answered"));
  });

  function tell(message: ToWorker): void {
    // A worker that was killed meanwhile hears nothing; that it is gone is told by `gone`.
    if (child.connected) child.send(message, () => undefined);
  }

  // The worker is ours and speaks this protocol.
  child.on("message", async (message: FromWorker) => {
    switch (message.kind) {
      case "ready":
        return isReady();
      case "violation":
        return onViolation(message.text);
      case "answer":
        waiting.get(message.n)?.resolve(message.answer);
        waiting.delete(message.n);
        return;
      case "chat":
        return tell({ kind: "chat", n: message.n, answer: await onCall(message.call) });
    }
  });

  return {
    ready,
    gone,
    ask(request) {
      const n = ++asked;
      const answered = new Promise<unknown>((resolve, reject) => waiting.set(n, { resolve, reject }));
      if (!child.connected) return Promise.reject(new WorkerDied("it is dead"));
      tell({ kind: "request", n, request });
      // The worker answers each request with its own kind of answer.
      return answered as Promise<Answers[typeof request.type]>;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function goneOf(child: ChildProcess): Promise<void> {
  return Promise.all([
    new Promise<void>((done) => child.once("exit", () => done())),
    new Promise<void>((done) => child.once("disconnect", () => done())),
  ]).then(() => undefined);
}
