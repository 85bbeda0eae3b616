// Compares the copies of the three integrations with the platform's own databases.
import pg from "pg";
import type { Platform } from "../read-platform-file.ts";
import type { Erp } from "./erp.ts";
import type { SearchIndex } from "./search-index.ts";
import type { Storefront } from "./storefront.ts";

export interface Comparison {
  readonly name: string;
  readonly own: number;
  readonly database: number;
  /** The items that only one of the two has. */
  readonly differences: readonly string[];
}

export async function compare(
  platform: Platform,
  { storefront, erp, index }: { storefront: Storefront; erp: Erp; index: SearchIndex },
  name: string,
): Promise<Comparison[]> {
  const { databases, demo } = platform;
  const orders = await rows(databases.orders, ORDERS, demo.tenantId);
  const entries = await rows(databases.content, LIVE_ENTRIES, demo.tenantId);
  const placed = orders.filter(([, externalId]) => externalId?.startsWith(`${name}-web-`));
  return [
    difference(
      "storefront: orders",
      storefront.orders().map(({ orderId, externalId }) => [orderId, externalId]),
      placed.map(([id = null, externalId = null]) => [id, externalId]),
    ),
    difference(
      "ERP: orders",
      erp
        .orders()
        .map((order) => [
          order.id,
          order.externalId ?? null,
          order.status,
          order.paymentStatus,
          String(order.total),
          String(order.version),
          order.customerNote ?? null,
        ]),
      orders,
    ),
    difference(
      "search index: entries",
      index.documents().map(({ id, slug, title }) => [id, slug, title]),
      entries,
    ),
  ];
}

type Row = readonly (string | null)[];

const ORDERS = `
  select id::text, external_id, status, payment_status, trim_scale(total)::text, version::text, customer_note
    from orders where tenant_id = $1`;

const LIVE_ENTRIES = `
  select entry.id::text, live.slug, coalesce(live.data ->> 'title', '')
  from entries entry join entry_revisions live
    on (live.tenant_id, live.entry_id, live.revision) = (entry.tenant_id, entry.id, entry.published_revision)
  where entry.tenant_id = $1`;

async function rows(databaseUrl: string, text: string, tenantId: string): Promise<Row[]> {
  const database = new pg.Client(databaseUrl);
  await database.connect();
  try {
    return (await database.query({ text, values: [tenantId], rowMode: "array" })).rows;
  } finally {
    await database.end();
  }
}

function difference(name: string, own: readonly Row[], database: readonly Row[]): Comparison {
  const texts = (list: readonly Row[]) => list.map((row) => row.join(" "));
  const [left, right] = [new Set(texts(own)), new Set(texts(database))];
  const differences = [
    ...[...left].filter((text) => !right.has(text)).map((text) => `${name}, only here: ${text}`),
    ...[...right].filter((text) => !left.has(text)).map((text) => `${name}, only in the database: ${text}`),
  ];
  return { name, own: own.length, database: database.length, differences };
}
