// Dies at every await between commit and delivered webhook in turn, by SIGKILL, and is started again: nothing that was
// committed is lost, no pair has two rows, and an attempt is repeated at most as often as its maker was killed.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { type CrashPlatform, startCrashPlatform } from "./support/crash-platform.ts";
import { CRASH_POINTS, type CrashPoint } from "./support/crash-points.ts";
import { type CrashTenant, newCrashTenant } from "./support/crash-tenant.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

describe("a process that dies", () => {
  let platform: CrashPlatform;

  beforeAll(async () => {
    platform = await startCrashPlatform();
  });

  afterAll(() => platform.stop());

  // After one that failed.
  beforeEach(async () => {
    for (const service of ["content", "webhooks"] as const) await platform.startAgain(service);
  });

  test.each(CRASH_POINTS)("at $at ($cause) loses nothing", async (point) => {
    const tenant = await newCrashTenant(platform, point.cause);
    const died = await crash(point, tenant);
    expect(died).toBe("signal SIGKILL");
    expect(platform.logOf(point.service)).toMatch(new RegExp(`killed at ${nameOf(point.at)}\n$`));
    const committed = await tenant.committedEvents();
    expect(committed).toHaveLength(tenant.redirectCount);

    await platform.startAgain(point.service);
    await tenant.letLocksRunOut();
    const status = point.cause === "dead" ? "failed" : "delivered";
    await tenant.untilSettled(status);
    await tenant.untilQuiet();

    const deliveries = await tenant.deliveries();
    expect(deliveries.map(({ event_id }) => event_id).sort()).toEqual(committed);
    expect(new Set(deliveries.map((delivery) => delivery.status))).toEqual(new Set([status]));
    expectCalls(point, tenant, deliveries);
    if (point.cause === "dead") await tenant.expectLaid(deliveries.map(({ id }) => id));
  });

  test("does so at every fail point that there is", () => {
    const sources = globSync("{packages,services}/*/src/**/*.ts", { cwd: ROOT });
    const named = sources.flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), "utf8").matchAll(/failPoint\("(.+?)"\)/g)].map(([, at]) => at),
    );
    expect(new Set(named)).toEqual(new Set(CRASH_POINTS.map(({ at }) => nameOf(at))));
    expect(new Set(named).size).toBe(named.length);
  });

  /** Out: how the process ended. */
  async function crash({ at, service, cause }: CrashPoint, tenant: CrashTenant): Promise<string> {
    if (["replay", "paused", "lost", "queue"].includes(cause)) await tenant.addRedirects();
    if (cause === "replay") await tenant.untilSettled("delivered");
    if (["paused", "lost", "queue"].includes(cause)) await tenant.untilSettled("paused");
    if (cause === "queue") {
      await tenant.forget();
      await tenant.resume();
    }
    const { ended } = await platform.startToFail(service, at);
    if (cause === "replay") await tenant.askForReplay();
    else if (cause === "queue") await tenant.deleteQueueOf(service);
    else if (cause === "paused") await tenant.resume();
    else if (cause === "lost") await tenant.resumeWithoutMessages();
    else await tenant.addRedirects();
    let how: string | undefined;
    void ended.then((said) => {
      how = said;
    });
    return await until(`the death at ${at}`, () => how);
  }
});

function expectCalls(
  { cause, repeats }: CrashPoint,
  tenant: CrashTenant,
  deliveries: readonly { id: string }[],
): void {
  const calls = tenant.calls();
  const attempts = cause === "failing" || cause === "dead" ? [1, 2] : [1];
  const expected = deliveries.flatMap(({ id }) => attempts.map((attempt) => `${id} ${attempt}`));
  expect([...calls.keys()].sort()).toEqual(expected.sort());
  const most = Math.max(...calls.values());
  if (repeats === "never") expect(most).toBe(1);
  if (repeats === "surely") expect(most).toBe(2);
  expect(most).toBeLessThanOrEqual(2);
}

function nameOf(at: string): string {
  return at.replace(/:\d+$/, "");
}
