// Kills a process with SIGKILL at each fail point between the commit and the delivered webhook, and starts it again. No committed
// event is lost, no event has two deliveries to a subscription, and an attempt is repeated at most once per crash.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import { startCrashPlatform } from "../support/crash-platform.ts";
import {
  CRASH_POINTS,
  type CrashPoint,
  OTHER_CRASH_POINTS,
  QUICK_CRASH_POINTS,
} from "../support/crash-points.ts";
import { type CrashTenant, newCrashTenant } from "../support/crash-tenant.ts";

const platform = await startCrashPlatform();

describe("a process that dies", () => {
  afterAll(() => platform.stop());

  // A failed test may have left a service dead.
  beforeEach(() => platform.startAgain("content", "webhooks"));

  const points = process.env.TEST_QUICK === "true" ? QUICK_CRASH_POINTS : CRASH_POINTS;
  test.each(points)("at $at ($scenario) loses nothing", async (point) => {
    const tenant = await newCrashTenant(platform, point.scenario);
    const died = await crash(point, tenant);
    expect(died).toBe("signal SIGKILL");
    // The death may not be on the last line, because the logger writes in the background.
    const deaths = platform.logOf(point.service).match(/killed at \S+$/gm);
    expect(deaths?.at(-1)).toBe(`killed at ${nameOf(point.at)}`);
    const committed = await tenant.committedEvents();
    expect(committed).toHaveLength(tenant.eventCount());

    if (point.service === "webhooks") await tenant.expireLocks();
    await platform.startAgain(point.service);
    const status = point.scenario === "dead" ? "failed" : "delivered";
    await tenant.untilSettled(status);
    await tenant.untilQuiet();

    const deliveries = await tenant.deliveries();
    expect(deliveries.map(({ event_id }) => event_id).sort()).toEqual(committed);
    expect(new Set(deliveries.map((delivery) => delivery.status))).toEqual(new Set([status]));
    expectRequests(point, tenant, deliveries);
    if (point.scenario === "tally") await tenant.untilTallied();
    if (point.scenario === "dead") {
      await tenant.expectFailedNotice(deliveries.length);
      await tenant.expectDeadLetters(deliveries.map(({ id }) => id));
    }
  });

  test("dies at every fail point in the code", () => {
    const sources = globSync("{packages,services}/*/src/**/*.ts", { cwd: ROOT });
    const named = sources.flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), "utf8").matchAll(/failPoint\("(.+?)"\)/g)].map(([, at]) => at),
    );
    expect(new Set(named)).toEqual(
      new Set([...CRASH_POINTS.map(({ at }) => nameOf(at)), ...OTHER_CRASH_POINTS]),
    );
    expect(new Set(named).size).toBe(named.length);
  });

  /** Returns how the process ended. */
  async function crash({ at, service, scenario }: CrashPoint, tenant: CrashTenant): Promise<string> {
    const redirects = ["first event", "healthy"].includes(scenario) ? [] : await tenant.createRedirects();
    if (["replay", "paused", "missing", "lost", "queue", "tally"].includes(scenario))
      await tenant.removeAll(redirects);
    if (scenario === "replay" || scenario === "tally") {
      await tenant.untilSettled("delivered");
      await tenant.untilQuiet();
    }
    if (["paused", "lost", "queue"].includes(scenario)) await tenant.untilSettled("paused");
    if (scenario === "missing") await tenant.untilReceived();
    if (scenario === "queue") {
      await tenant.loseEvents();
      await tenant.resume();
    }
    const { ended } = platform.failAt(service, at);
    if (scenario === "replay") await tenant.requestReplay();
    else if (scenario === "queue") await tenant.deleteQueueOf(service);
    else if (scenario === "paused") await tenant.resume();
    else if (scenario === "missing") await tenant.replayMissing();
    else if (scenario === "lost") await tenant.resumeWithoutMessages();
    else if (scenario === "first event") await tenant.createRedirect();
    else if (scenario !== "healthy" && scenario !== "tally") await tenant.removeAll(redirects);
    let ending: string | undefined;
    void ended.then((reason) => {
      ending = reason;
    });
    return await until(`the death at ${at}`, async () => {
      if (scenario === "healthy" && ending === undefined)
        await tenant.removeAll(await tenant.createRedirects(1));
      return ending;
    });
  }
});

function expectRequests(
  { scenario, repeats }: CrashPoint,
  tenant: CrashTenant,
  deliveries: readonly { id: string }[],
): void {
  const counts = tenant.requestCounts();
  const attempts = scenario === "failing" || scenario === "dead" ? [1, 2] : [1];
  const expected = deliveries.flatMap(({ id }) => attempts.map((attempt) => `${id} ${attempt}`));
  expect([...counts.keys()].sort()).toEqual(expected.sort());
  const most = Math.max(...counts.values());
  if (repeats === "never") expect(most).toBe(1);
  if (repeats === "surely") expect(most).toBe(2);
  expect(most).toBeLessThanOrEqual(2);
}

function nameOf(at: string): string {
  return at.replace(/:\d+$/, "");
}
