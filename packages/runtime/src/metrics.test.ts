import { describe, expect, test } from "@jest/globals";
import { createMetrics } from "./metrics.ts";
import { sleep } from "./sleep.ts";

describe("the metrics of the process", () => {
  test("measure how long the turns of the event loop took", async () => {
    const metrics = createMetrics("test");
    await sleep(1);
    await metrics.text();
    block(200);
    await sleep(1);
    const text = await metrics.text();
    expect(metric(text, "nodejs_eventloop_lag_max_seconds")).toBeGreaterThanOrEqual(0.2);
    expect(metric(text, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0.2);
    expect(metric(text, "nodejs_eventloop_lag_min_seconds")).toBeGreaterThanOrEqual(0);
  });
});

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function metric(text: string, name: string): number {
  const found = new RegExp(`^${name}\\{service="test"\\} (.+)$`, "m").exec(text);
  return Number(found?.[1]);
}
