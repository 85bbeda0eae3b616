// The growth of the databases that a tenant causes is bounded by the cost of its requests (interface §2), or by the bytes of its
// events, which a quota limits (§19). Each table is named here, so that a new one without a bound fails.
import { randomBytes, randomUUID } from "node:crypto";
import { SERVICES, type ServiceName } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import { startTestPlatform } from "../support/test-platform.ts";

/**
 * Why no tenant fills a table: `rows`, a limit of rows for each tenant, or one row for each resource, day, user or key; `ours`, rows
 * of the platform; `drained`, rows that are removed as soon as they are processed; or the growth for each unit of cost, in KiB, and for
 * each byte of an event.
 */
type Bound = "rows" | "ours" | "drained" | { readonly costKib: number; readonly eventBytes?: number };

// The headers of a row, its identifiers and its index entries.
const SMALL: Bound = { costKib: 4 };
// A cost of 1 is a body of less than 64 KiB.
const STORED_BODY: Bound = { costKib: 80 };
const EVENTS: Bound = { costKib: 4, eventBytes: 1.3 };
const each = (bound: Bound, ...tables: string[]): Record<string, Bound> =>
  Object.fromEntries(tables.map((table) => [table, bound]));
const COMMON = {
  ...each(
    "ours",
    "day_tables",
    "deleted_tenants",
    "event_tally",
    "kysely_migration",
    "kysely_migration_lock",
  ),
  ...each("ours", "migration_promises", "replay", "restores"),
  event_bytes: "rows",
  // A request with a large response writes an equally large event, or the bytes of its record count as an event's.
  idempotency_records: { costKib: 80, eventBytes: 1 },
  outbox: "drained",
  published_events: EVENTS,
} satisfies Record<string, Bound>;

const BOUNDS: Record<ServiceName, Record<string, Bound>> = {
  gateway: {
    ...COMMON,
    ...each(SMALL, "api_keys", "audit_heads", "audit_log", "erased_customers", "requests", "sessions"),
    ...each(SMALL, "unfinished_sign_ins", "users"),
    ...each("ours", "audit_tallies", "missing_audit_entries", "operator_commands", "tenants"),
    ...each("rows", "identities", "recovery_codes", "request_days", "second_factors", "setup_links"),
    ...each("rows", "tenant_modules", "tenant_usage"),
  },
  orders: {
    ...COMMON,
    ...each(SMALL, "erased_customers", "erasures", "order_changes"),
    ...each("rows", "order_counters", "order_totals"),
    // A change of one field writes the row again, without its long texts, which Postgres stores apart.
    ...each(STORED_BODY, "customers", "order_line_rows", "orders"),
    order_deltas: "drained",
    customer_words: { costKib: 32 },
    // In an import, a unit of cost is a body of 64 KiB, which has 100 orders or more.
    order_words: { costKib: 32, eventBytes: 1 },
  },
  content: {
    ...COMMON,
    ...each(SMALL, "entries", "entry_slugs", "media"),
    content_types: STORED_BODY,
    // A change of one field stores the whole entry, and so do its two events.
    entry_revisions: { costKib: 4, eventBytes: 1 },
    media_bytes: "rows",
    redirects: { costKib: 16 },
    storage_leftovers: "drained",
  },
  webhooks: {
    ...COMMON,
    ...each({ costKib: 4, eventBytes: 1 }, "attempts", "dead_letters", "deliveries", "delivery_log"),
    ...each({ costKib: 4, eventBytes: 1 }, "response_bodies"),
    ...each("ours", "dispatchers", "missing_events", "offered_types", "suspended_tenants", "tallies"),
    ...each("ours", "tally_gaps"),
    ...each("rows", "endpoints", "listeners", "notice_destinations", "notices", "received_bytes"),
    ...each("rows", "reconciliations", "subscriptions"),
    ...each(SMALL, "former_standings", "notice_messages", "replays"),
    events: EVENTS,
    former_targets: { costKib: 16 },
  },
};

const platform = await startTestPlatform();
const tenant = await platform.createTenant();
afterAll(() => platform.stop());

async function query<Row>(service: ServiceName, text: string): Promise<Row[]> {
  return (await platform.pools[service].query(text)).rows as Row[];
}

// The partitions of a table count as the table.
const SIZES = `
  select relname as table, (select sum(pg_total_relation_size(relid)) from pg_partition_tree(pg_class.oid))::float8 as bytes
    from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
// Counts as `GET /v1/usage` does.
const eventBytesOf = (service: ServiceName) => `
  select (coalesce((select sum(bytes) from ${service === "webhooks" ? "received_bytes" : "event_bytes"}), 0)
          + coalesce((select sum(size_bytes) from outbox), 0))::float8 as bytes`;

async function sizes(service: ServiceName) {
  const [tables, events] = [
    await query<{ table: string; bytes: number }>(service, SIZES),
    await query<{ bytes: number }>(service, eventBytesOf(service)),
  ];
  return {
    tables: new Map(tables.map(({ table, bytes }) => [table, bytes])),
    eventBytes: events[0]?.bytes ?? 0,
  };
}

test.each(SERVICES)("each table of %s has a bound", async (service) => {
  const { tables } = await sizes(service);
  expect(Object.keys(BOUNDS[service]).sort()).toEqual([...tables.keys()].sort());
});

let cost = 0;

/** Sends a request and adds what it costs. */
async function pay(method: string, path: string, body?: object, client = tenant.key) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    "x-request-id": randomBytes(64).toString("hex"),
    ...(method === "POST" && { "idempotency-key": randomUUID() }),
  };
  const response = await client.send(method, path, { headers, ...(text !== undefined && { body: text }) });
  cost += 1 + Math.floor((text?.length ?? 0) / 65_536) + Math.floor(response.text.length / 262_144);
  return response;
}

/** Creates a resource and returns its id. */
const create = async (path: string, body: object, client = tenant.key): Promise<string> =>
  (await pay("POST", path, body, client)).body.data.id;
/** Creates a content type and an entry of it with a large text. */
const createLargeEntry = async (slug: string) => {
  const fields = [{ key: "text", type: "text", required: false }];
  await pay("PUT", `/v1/content-types/${slug}`, { name: slug, fields }, tenant.owner);
  return await create("/v1/entries", { type: slug, slug, data: { text: noise(500_000) } });
};
const noise = (characters: number) => randomBytes(characters).toString("base64").slice(0, characters);
const letters = (separator: string) => Array.from("abcdefghijklmnopqrstuvwxyz").join(separator);
const customer = () => ({
  name: `${letters("!")}${noise(20)} ${letters("?")}`,
  email: `${noise(8).replace(/\W/g, "a")}.${letters(".")}@example.com`,
  phone: "+1 2 3 4 5 6 7 8 9 0 1 2 3 4",
});
const largeOrder = () => ({
  customerId: tenant.customerId,
  externalId: letters("!") + noise(100),
  items: Array.from({ length: 400 }, () => ({ sku: noise(20), name: noise(400), unitPrice: 1 })),
  metadata: { text: noise(60_000) },
});

const REPEATS = 12;
/** Each prepares an attack, and returns its repeated request. */
const ATTACKS: Record<string, () => Promise<(number: number) => Promise<unknown>>> = {
  "customers of many words": async () => () => pay("POST", "/v1/customers", customer()),
  "a customer that changes all its words": async () => {
    const id = await create("/v1/customers", customer());
    return () => pay("PATCH", `/v1/customers/${id}`, customer());
  },
  "large orders": async () => () => pay("POST", "/v1/orders", largeOrder()),
  "a small change of a large order": async () => {
    const id = await create("/v1/orders", largeOrder());
    return (number) => pay("PATCH", `/v1/orders/${id}`, { internalNote: `n${number}` });
  },
  "failed payments of a large order": async () => {
    const path = `/v1/orders/${await create("/v1/orders", largeOrder())}/payments`;
    return (number) => pay("POST", path, { status: "failed", reference: `r${number}` });
  },
  "a payment of a large order that is recorded already": async () => {
    const path = `/v1/orders/${await create("/v1/orders", largeOrder())}/payments`;
    return () => pay("POST", path, { status: "failed", reference: "same" });
  },
  "imports of small orders": async () => {
    const item = { sku: "A", name: "A", unitPrice: 1 };
    const orders = () =>
      Array.from({ length: 100 }, () => ({
        customerId: tenant.customerId,
        externalId: `${letters("!")}${randomUUID()}`,
        orderNumber: `${letters("?")}${randomUUID()}`,
        items: [item],
      }));
    return () => pay("POST", "/v1/orders/bulk", { orders: orders() });
  },
  exports: async () => () => pay("GET", `/v1/customers/export?search=${"a".repeat(90)}`),
  "a new slug of a large entry": async () => {
    const id = await createLargeEntry("large");
    return (number) => pay("PATCH", `/v1/entries/${id}`, { slug: `slug-${number}` });
  },
  "restores and publications of a large entry that change nothing": async () => {
    const path = `/v1/entries/${await createLargeEntry("same")}`;
    await pay("POST", `${path}/publish`);
    return async () => {
      await pay("POST", `${path}/revisions/1/restore`);
      await pay("POST", `${path}/publish`);
    };
  },
  redirects: async () => () =>
    pay("POST", "/v1/redirects", { from: `/${noise(1_500)}`, to: `/${noise(1_500)}` }),
  "replays that count only, and tests, of a subscription": async () => {
    const subscription = { name: "S", url: "https://127.0.0.1:9/x", events: ["redirect.added"] };
    const subscriptions = "/v1/webhooks/subscriptions";
    const path = `${subscriptions}/${await create(subscriptions, subscription, tenant.owner)}`;
    const replay = { since: "2026-01-01T00:00:00Z", include: "all", dryRun: true };
    return async () => {
      await pay("POST", `${path}/replays`, replay, tenant.owner);
      await pay("POST", `${path}/test`, {}, tenant.owner);
      await pay("PATCH", path, { url: `https://127.0.0.1:9/${noise(1_900)}` }, tenant.owner);
    };
  },
  "keys that are created and revoked": async () => async () => {
    const id = await create("/v1/api-keys", { label: noise(90), scopes: ["read:crm"] }, tenant.owner);
    await pay("DELETE", `/v1/api-keys/${id}`, undefined, tenant.owner);
  },
};

// New pages, and parts of indexes, are allocated before they are full.
const SLACK_BYTES = 256 * 1024;

test.each(Object.entries(ATTACKS))("%s do not fill a table", async (_, prepare) => {
  const attack = await prepare();
  const before = await Promise.all(SERVICES.map(sizes));
  cost = 0;
  for (let number = 0; number < REPEATS; number++) await attack(number);
  for (const service of SERVICES) {
    await until(`the events of ${service} are published`, async () => {
      const [row] = await query<{ waiting: number }>(service, "select count(*)::int as waiting from outbox");
      return row?.waiting === 0;
    });
  }
  const after = await Promise.all(SERVICES.map(sizes));
  const tooLarge = SERVICES.flatMap((service, index) =>
    Object.entries(BOUNDS[service]).flatMap(([table, bound]) => {
      if (typeof bound === "string") return [];
      const grown = (after[index]?.tables.get(table) ?? 0) - (before[index]?.tables.get(table) ?? 0);
      const events = (after[index]?.eventBytes ?? 0) - (before[index]?.eventBytes ?? 0);
      const max = SLACK_BYTES + cost * bound.costKib * 1024 + (bound.eventBytes ?? 0) * events;
      return grown <= max ? [] : [{ service, table, grown, max, cost, events }];
    }),
  );
  expect(tooLarge).toEqual([]);
});
