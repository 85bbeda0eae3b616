// The relay and fan-out process a backlog of events of the maximum size, in the outbox and then in the queue, with no more than a
// few batches in memory.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { type CrashingService, type CrashPlatform, startCrashPlatform } from "./support/crash-platform.ts";

const RESIDENT_MIB_MAX = 400;
const DELIVERY_TIMEOUT_MS = 280_000;

// The length of an MD5 digest in hexadecimal digits.
const CHUNK_BYTES = 32;

const INSERT = `
  insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
  select gen_random_uuid(), gen_random_uuid(), 'redirect.added', $1, 'request-1',
         '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '{"type":"user","id":"u-1","name":"Ada"}',
         ('{"redirect":{"id":"' || n || '","to":"' || repeat(md5(n::text), $3::integer) || '"}}')::json
    from generate_series(1, $2::integer) n`;

describe("a backlog of huge events", () => {
  let platform: CrashPlatform;

  beforeAll(async () => {
    platform = await startCrashPlatform();
  });

  afterAll(() => platform.stop());

  const countIn = async (service: CrashingService, table: string, tenantId: string) => {
    const { rows } = await platform[service].query<{ count: number }>(
      `select count(*)::int as count from ${table} where tenant_id = $1`,
      [tenantId],
    );
    return rows[0]?.count ?? 0;
  };

  /** Returns the peak resident memory since the process started, in MiB. */
  const peakMib = (service: CrashingService) => {
    const status = readFileSync(`/proc/${platform.pidOf(service)}/status`, "utf8");
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024);
  };

  test.each([
    { count: 200, bytes: 900_000 },
    { count: 170, bytes: 1_900_000 },
  ])(
    "processes $count events of $bytes bytes in less than 400 MiB of memory",
    async ({ count, bytes }) => {
      const tenantId = randomUUID();
      // The service is stopped, so that all events are in its queue when it starts.
      await platform.kill("webhooks");
      await platform.content.query(INSERT, [tenantId, count, Math.ceil(bytes / CHUNK_BYTES)]);
      await until(
        "an empty outbox",
        async () => (await countIn("content", "outbox", tenantId)) === 0,
        DELIVERY_TIMEOUT_MS,
      );
      await platform.startAgain("webhooks");
      await until(
        "every event in the webhooks service",
        async () => (await countIn("webhooks", "events", tenantId)) === count,
        DELIVERY_TIMEOUT_MS,
      );
      for (const service of ["content", "webhooks"] as const) {
        expect(peakMib(service)).toBeLessThan(RESIDENT_MIB_MAX);
      }
      // Frees the disk space.
      await platform.content.query("delete from published_events where tenant_id = $1", [tenantId]);
      await platform.webhooks.query("delete from events where tenant_id = $1", [tenantId]);
    },
    DELIVERY_TIMEOUT_MS + 60_000,
  );
});
