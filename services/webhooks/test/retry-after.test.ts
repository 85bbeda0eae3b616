// The forms of Retry-After that a receiver may send (interface §17).
import { describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { type Fixture, useWebhooks } from "./support/use-webhooks.ts";

const HOLD_MAX_S = 7_200;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);

describe("an endpoint with Retry-After", () => {
  let fixture: Fixture;
  useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h" }, (started) => {
    fixture = started;
  });

  /** Returns for how many seconds after its response the endpoint is held; null if it is not. */
  async function heldFor(retryAfter: string | string[], status = 503): Promise<number | null> {
    const { webhooks, receiver, tenant } = fixture;
    receiver.behave(() => (res) => res.setHeader("retry-after", retryAfter).writeHead(status).end());
    const { id } = await tenant.subscribe(`${receiver.url}/busy`);
    await webhooks.emit(tenant.tenantId);
    const { health } = await until("the failure", async () => {
      const { data } = (await tenant.owner().get(`/v1/webhooks/subscriptions/${id}`)).body;
      return data.health.consecutiveFailures === 1 && data;
    });
    if (health.heldUntil === null) return null;
    return Math.round((Date.parse(health.heldUntil) - Date.parse(health.lastFailureAt)) / 1_000);
  }

  test.each([
    ["120", 120],
    [" 120 ", 120],
    ["7200", HOLD_MAX_S],
    ["7201", HOLD_MAX_S],
    ["9".repeat(30), HOLD_MAX_S],
    ["Fri, 31 Dec 9999 23:59:59 GMT", HOLD_MAX_S],
  ])("%s is held for %i s", async (text, seconds) => {
    expect(await heldFor(text)).toBe(seconds);
  });

  test.each([
    ["as servers write it", (at: Date) => at.toUTCString()],
    ["of RFC 850", (at: Date) => rfc850(at)],
    ["of asctime, in GMT whatever the process's time zone is", (at: Date) => asctime(at)],
  ])("a date %s holds until then", async (_, textOf) => {
    const seconds = await heldFor(textOf(inSeconds(600)));
    expect(Math.abs((seconds ?? 0) - 600)).toBeLessThanOrEqual(60);
  });

  test.each([
    "0",
    "-5",
    "1.5",
    "1e3",
    "+120",
    "0x10",
    "",
    "soon",
    "soon 2099",
    "2099 or so",
    "120s",
    "5 minutes",
    "Infinity",
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 99 Nov 2099 08:49:37 GMT",
  ])("'%s' holds nothing", async (text) => {
    expect(await heldFor(text)).toBeNull();
  });

  test("several headers hold for the longest", async () => {
    expect(await heldFor(["60", "junk", "300", "120"])).toBe(300);
  });

  test("another status than 429 and 503 holds nothing", async () => {
    expect(await heldFor("120", 500)).toBeNull();
    expect(await heldFor("120", 410)).toBeNull();
    expect(await heldFor("120", 429)).toBe(120);
  });
});

const two = (number: number) => String(number).padStart(2, "0");
const timeOf = (at: Date) => [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(":");
const dayOf = (at: Date, weekday: "short" | "long") =>
  at.toLocaleDateString("en-US", { weekday, timeZone: "UTC" });
const monthOf = (at: Date) => at.toLocaleDateString("en-US", { month: "short", timeZone: "UTC" });

function rfc850(at: Date): string {
  const year = two(at.getUTCFullYear() % 100);
  return `${dayOf(at, "long")}, ${two(at.getUTCDate())}-${monthOf(at)}-${year} ${timeOf(at)} GMT`;
}

function asctime(at: Date): string {
  const day = String(at.getUTCDate()).padStart(2, " ");
  return `${dayOf(at, "short")} ${monthOf(at)} ${day} ${timeOf(at)} ${at.getUTCFullYear()}`;
}
