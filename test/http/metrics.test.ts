import { describe, expect, it } from "vitest";
import { createMetrics } from "../../src/http/metrics.js";

describe("metrics", () => {
  it("show what happened, with the process's own figures, as Prometheus text", async () => {
    const metrics = createMetrics();

    metrics.received();
    metrics.received();
    metrics.running(1);
    metrics.running(1);
    metrics.running(-1);
    metrics.turn("replied", 1_500);
    metrics.suppressed();
    metrics.posted("ambiguous");
    metrics.outboxPending(3);
    metrics.storeCommitted(2);
    const lines = (await metrics.render()).split("\n");

    expect(lines).toEqual(
      expect.arrayContaining([
        "troupe_messages_received_total 2",
        "troupe_turns_running 1",
        'troupe_turns_total{result="replied"} 1',
        'troupe_turn_duration_seconds_bucket{le="2.5"} 1',
        "troupe_turn_duration_seconds_sum 1.5",
        "troupe_wakes_suppressed_total 1",
        'troupe_posts_total{result="ambiguous"} 1',
        "troupe_outbox_pending 3",
        'troupe_store_commit_duration_seconds_bucket{le="0.005"} 1',
        expect.stringMatching(/^process_resident_memory_bytes \d+/),
      ]),
    );
  });

  it("are kept apart for each service of a process", async () => {
    const [one, two] = [createMetrics(), createMetrics()];

    one.received();

    expect(await two.render()).toContain("troupe_messages_received_total 0");
  });
});
