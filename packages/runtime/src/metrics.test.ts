import { createMetrics } from "./metrics.ts";
import { sleep } from "./waits.ts";

test("the metrics of the process measure how long the turns of the event loop took", async () => {
  const metrics = createMetrics("test");
  await sleep(1);
  await metrics.text();
  // Blocks the event loop.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await sleep(1);
  const text = await metrics.text();
  expect(metric(text, "nodejs_eventloop_lag_max_seconds")).toBeGreaterThanOrEqual(0.2);
  expect(metric(text, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0.2);
  expect(metric(text, "nodejs_eventloop_lag_min_seconds")).toBeGreaterThanOrEqual(0);
});

test("a gauge that cannot be collected is left out until it can be; the others are there", async () => {
  const metrics = createMetrics("test");
  let isDown = true;
  metrics.gauge("rows", "Rows.", [], async (gauge) => {
    if (isDown) throw new Error("the database is down");
    gauge.set(3);
  });
  metrics.gauge("other", "Another.", [], (gauge) => gauge.set(1));
  const down = await metrics.text();
  expect(down).not.toMatch(/^rows\{/m);
  expect(metric(down, "other")).toBe(1);

  isDown = false;
  expect(metric(await metrics.text(), "rows")).toBe(3);
  isDown = true;
  expect(await metrics.text()).not.toMatch(/^rows\{/m);
});

test("a gauge whose collection hangs does not keep the others", async () => {
  const metrics = createMetrics("test");
  metrics.gauge("rows", "Rows.", [], () => new Promise<void>(() => {}));
  metrics.gauge("other", "Another.", [], (gauge) => gauge.set(1));
  expect(metric(await metrics.text(), "other")).toBe(1);
});

test("the sources of a shared gauge are added up by their labels, and one that fails hides the gauge", async () => {
  const metrics = createMetrics("test");
  let isDown = false;
  const add = (value: number) =>
    metrics.sumGauge("connections", "Connections.", ["state"], async () => {
      if (isDown) throw new Error("the pool is closed");
      return [{ labels: { state: "idle" }, value }];
    });
  add(2);
  add(3);
  for (let scrape = 0; scrape < 2; scrape += 1)
    expect(await metrics.text()).toMatch(/^connections\{state="idle",service="test"\} 5$/m);
  isDown = true;
  expect(await metrics.text()).not.toMatch(/^connections\{/m);
});

function metric(text: string, name: string): number {
  const found = new RegExp(`^${name}\\{service="test"\\} (.+)$`, "m").exec(text);
  return Number(found?.[1]);
}
