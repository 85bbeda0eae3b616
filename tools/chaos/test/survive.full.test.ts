// `npm run demo -- survive`: the keys kill each part once, and nothing is lost.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { until } from "@tradepost/testing";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const KEYS = { g: "gateway", o: "orders", c: "content", w: "webhooks", p: "postgres", r: "rabbitmq" };

test("each part dies once, and nothing is lost", async () => {
  const demo = spawn("npm", ["run", "--silent", "demo", "--", "survive"], { cwd: ROOT, stdio: "pipe" });
  let output = "";
  for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (text) => (output += text));
  const acknowledged = () => Number(/.*acknowledged (\d+)/s.exec(output)?.[1] ?? 0);
  const ended = once(demo, "exit");
  try {
    await until("the traffic", () => acknowledged() > 0, 300_000);
    for (const key of Object.keys(KEYS)) {
      const before = acknowledged();
      demo.stdin.write(key);
      await until(`traffic after ${key}`, () => acknowledged() > before + 20, 120_000);
    }
    demo.stdin.write("q");
    expect(await ended).toEqual([0, null]);
  } finally {
    demo.kill();
  }
  const last = output.trimEnd().split("\n").at(-1);
  expect(last).toMatch(
    /^acknowledged \d+ {2}committed \d+ {2}published \d+ {2}delivered \d+ {2}lost 0 {2}twice \d+/,
  );
  for (const victim of Object.values(KEYS)) expect(last).toContain(`${victim} 1`);
}, 900_000);
