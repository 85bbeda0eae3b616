// Runs the baseline for deliveries in its own process: see `baseline/post-loop.ts`.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { BenchContext } from "./benches/bench.ts";

const LOOP = path.resolve(import.meta.dirname, "baseline/post-loop.ts");
/** The webhooks service's limit of requests in flight. */
const CONCURRENCY = 200;
/** The length of a webhook's body. */
const BODY_BYTES = 390;

/** Posts `count` bodies to the URLs in turn. The time counts from the first request to the last. */
export async function postInALoop(
  { platform, receivers }: BenchContext,
  urls: readonly string[],
  count: number,
): Promise<{ count: number; perSecond: number; cpuMs: number }> {
  const arriving = receivers.expect(count);
  const args = [LOOP, ...[count, CONCURRENCY, BODY_BYTES].map(String), ...urls];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(platform.dataDir, "ca/authority.crt") },
  });
  const { firstAt, lastAt } = await arriving;
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000, cpuMs: Number(stdout) };
}
