import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Meter } from "../engine/meter.js";

/** What the service counts. Labels are closed lists (results), never ids or texts. */
export interface Metrics extends Meter {
  /** How many outbox rows wait for their platform. */
  outboxPending(rows: number): void;
  storeCommitted(ms: number): void;
  /** Everything, with the process's own figures, as Prometheus text. */
  render(): Promise<string>;
}

/** Metrics in a registry of their own: several services in one process do not share figures. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const seconds = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers: [registry] });

  const received = counter("troupe_messages_received_total", "Messages from outside that were committed to a log.");
  const turns = counter("troupe_turns_total", "Turns that ended, by result.", "result");
  const running = gauge("troupe_turns_running", "Turns that run now.");
  const durations = seconds(
    "troupe_turn_duration_seconds",
    "How long turns took.",
    [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120, 300],
  );
  const suppressed = counter("troupe_wakes_suppressed_total", "Wakes that a rule did not carry out.");
  const posts = counter("troupe_posts_total", "Posts to platforms, by result.", "result");
  const pending = gauge("troupe_outbox_pending", "Posts that wait for their platform.");
  const commits = seconds(
    "troupe_store_commit_duration_seconds",
    "How long commits to the store took.",
    [0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
  );

  return {
    received: () => received.inc(),
    turn(result, ms) {
      turns.inc({ result });
      durations.observe(ms / 1000);
    },
    running: (delta) => running.inc(delta),
    suppressed: () => suppressed.inc(),
    posted: (result) => posts.inc({ result }),
    outboxPending: (rows) => pending.set(rows),
    storeCommitted: (ms) => commits.observe(ms / 1000),
    render: () => registry.metrics(),
  };
}
