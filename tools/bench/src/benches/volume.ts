// The bytes that Postgres writes and keeps for an order and for a delivery, which disks, standbys and backups must hold.
import type { Platform, ServiceName } from "@tradepost/devstack";
import pg from "pg";
import { closedLoop } from "../load/closed-loop.ts";
import { gatewayOrderRequests } from "../load/order-requests.ts";
import { publishEvents } from "../publish-events.ts";
import { benchTenants } from "../tenants.ts";
import { untilOver } from "../until-over.ts";
import type { Bench } from "./bench.ts";

const [CONNECTIONS, LINES, TENANTS] = [16, 3, 8];
const DELIVERIES_MAX = 20_000;

const STORED = `
  select sum(pg_total_relation_size(class.oid)) as stored
    from pg_class class left join pg_inherits on inhrelid = class.oid
   where relkind = 'r' and relnamespace = 'public'::regnamespace
     and coalesce(inhparent, class.oid)::regclass::text not in ('outbox', 'published_events', 'idempotency_records')`;

interface Volume {
  /** The bytes of the write-ahead log, which standbys and archives receive. */
  readonly wal: number;
  /** The sizes of the tables with their indexes, without tables that keep data only for some days so that it can be sent again. */
  readonly stored: number;
}

export const volume: Bench = {
  name: "volume",
  description:
    "bytes that Postgres writes ahead and keeps for an order of 3 lines, and for an event with one webhook",
  target: "none",
  run: async ({ platform, receivers, scale }) => {
    const tenants = await benchTenants(
      platform,
      receivers.urls.slice(0, TENANTS).map((url) => `${url}/`),
    );
    const request = gatewayOrderRequests(tenants, LINES);
    const { seconds } = scale;
    const order = await perUnit(platform, "orders", async () => {
      const load = { url: platform.url, connections: CONNECTIONS, seconds, request, expect: 201 };
      return (await closedLoop(load)).count;
    });
    const event = await perUnit(platform, "webhooks", async () => {
      const count = Math.min(scale.deliveries, DELIVERIES_MAX);
      const ids = tenants.map(({ tenantId }) => tenantId);
      const arriving = receivers.expect(count);
      await publishEvents(platform, count, ids);
      await arriving;
      await untilOver(platform, ids);
      return count;
    });
    return {
      unit: "bytes written ahead for an order",
      measured: order.wal,
      figures: {
        "bytes kept for an order": order.stored,
        "bytes written ahead for an event with one webhook": event.wal,
        "bytes kept for an event with one webhook": event.stored,
      },
    };
  },
};

async function perUnit(
  { superuserUrl = "" }: Platform,
  database: ServiceName,
  run: () => Promise<number>,
): Promise<Volume> {
  const client = new pg.Client(new URL(`/${database}`, superuserUrl).href);
  await client.connect();
  try {
    // A page is written whole when it is first changed after a checkpoint. With this, each measurement has one checkpoint.
    await client.query("checkpoint");
    const before = await read(client);
    const count = await run();
    const after = await read(client);
    return { wal: (after.wal - before.wal) / count, stored: (after.stored - before.stored) / count };
  } finally {
    await client.end();
  }
}

async function read(client: pg.Client): Promise<Volume> {
  const { rows } = await client.query<{ wal: string; stored: string }>(
    `select pg_current_wal_lsn() - '0/0' as wal, stored from (${STORED}) as tables`,
  );
  const [row] = rows;
  return { wal: Number(row?.wal), stored: Number(row?.stored) };
}
