// New events during a replay of tens of thousands of old ones reach their receiver long before the replay ends, and fan-out keeps
// up with both.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { type CrashPlatform, startCrashPlatform } from "./support/crash-platform.ts";
import { newCrashTenant } from "./support/crash-tenant.ts";

const OLD_EVENTS = 60_000;
const ROUNDS = 5;

const INSERT_OLD = `
  insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor,
                                data, published_at, size_bytes)
  select -n, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(), 'redirect.added', $1, now(),
         'request-1', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
         '{"type":"user","id":"u-1","name":"Ada"}', '{"redirect":{"id":"old"}}', now() - interval '1 minute', 25
    from generate_series(1, $2::integer) n`;
const INSERT_KNOWN = `
  insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
  select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'redirect.added', now(), 'request-1',
         '{"redirect":{"id":"old"}}', 0
    from generate_series(1, $2::integer) n`;

describe("while a replay runs", () => {
  let platform: CrashPlatform;

  beforeAll(async () => {
    platform = await startCrashPlatform();
  });

  afterAll(() => platform.stop());

  test("delivers new events, and old events do not accumulate in the queue", async () => {
    const oldTenant = randomUUID();
    await platform.content.query(INSERT_OLD, [oldTenant, OLD_EVENTS]);
    await platform.webhooks.query(INSERT_KNOWN, [oldTenant, OLD_EVENTS]);
    const tenant = await newCrashTenant(platform, "redirects");
    await tenant.requestReplay();
    const replay =
      "select before_published_at::text as at from replay where before_published_at < 'infinity'";
    await until("the replay", async () => (await platform.content.query(replay)).rowCount === 1);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { status } = await platform
        .as("content", tenant.id)
        .post("/v1/redirects", { from: `/new-${round}`, to: "/here" });
      expect(status).toBe(201);
      await until("its webhook", () => tenant.requestCounts().size === round);
      // The replay takes minutes, so the webhook did not wait for its end.
      expect((await platform.content.query(replay)).rowCount).toBe(1);
    }
    await until(
      "the old events to leave the queue",
      async () => (await platform.channel.checkQueue("webhooks.events")).messageCount < 100,
    );
    expect((await platform.content.query(replay)).rowCount).toBe(1);
  });
});
