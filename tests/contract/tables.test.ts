// The tables of each database. Every table, key, unique index and foreign key contains the tenant, so that a tenant's rows can be on a
// server of their own (docs/scaling.md). Exceptions are listed here with their reasons. Foreign keys have indexes. Tables that change all
// the time are vacuumed more often than by default, which waits until a fifth of a table is dead (docs/performance.md).
import { columnsOf, dataMap, type MappedTable, tenantTables } from "@tradepost/data-map";
import { execute, SERVICES, type ServiceName } from "@tradepost/devstack";
import { createPlatformBase, removePlatformBase } from "../support/test-platform.ts";

/** The tables without the tenant, each with its reason and its unique keys. */
type Tables = Readonly<Record<string, readonly [reason: string, ...keys: string[]]>>;
/** The unique keys without the tenant of other tables: `table (columns)`. */
type Keys = Readonly<Record<string, string>>;

const TABLES_OF_ALL: Tables = {
  day_tables: ["which days have partitions", "name"],
  deleted_tenants: ["digests, so that a deleted tenant's id is kept nowhere", "tenant_digest"],
  event_tally: ["one row: what this database has published", "only_one"],
  kysely_migration: ["of the database", "name"],
  kysely_migration_lock: ["of the database", "id"],
  migration_promises: ["of the database", "name"],
  replay: ["one row: what the relay publishes again", "only_one"],
  restores: ["of the database", "id"],
};
const KEYS_OF_ALL: Keys = {
  "outbox (id)": "the order in which the relay of this database publishes",
  "outbox (event_id)": "finds an event for the operator; an id is random",
  "published_events (published_at,id)": "the order in which the relay of this database published",
};
const ERASED: Tables = {
  erased_customers: ["names nobody: a digest of tenant and customer", "customer_digest"],
};

const EXCEPTIONS: Readonly<Record<ServiceName, { readonly tables?: Tables; readonly keys?: Keys }>> = {
  gateway: {
    tables: {
      ...ERASED,
      tenants: ["its id is the tenant; the slug finds it", "id", "slug"],
      audit_tallies: ["what each service has published", "service"],
      operator_commands: ["what operators did, of no tenant or several", "id"],
    },
    keys: {
      "users (email)": "finds the tenant at sign-in",
      "api_keys (key_id)": "finds the tenant of a request",
      "sessions (id)": "finds the tenant of a request",
      "identities (issuer,subject)": "finds the tenant at sign-in",
      "setup_links (token_hash)": "finds the tenant of a link",
      "unfinished_sign_ins (token_hash)": "finds the tenant of a sign-in",
    },
  },
  orders: { tables: ERASED },
  content: {},
  webhooks: {
    tables: {
      tallies: ["what each service has published", "service"],
      offered_types: ["the operator's setting", "type"],
      tally_gaps: ["what each service has published", "service,since"],
      dispatchers: ["the processes of this service", "id"],
    },
  },
};

function exceptionsOf(service: ServiceName): string[] {
  const tables = Object.entries({ ...TABLES_OF_ALL, ...EXCEPTIONS[service].tables });
  const named = tables.flatMap(([table, [, ...keys]]) => [table, ...keys.map((key) => `${table} (${key})`)]);
  return [...named, ...Object.keys({ ...KEYS_OF_ALL, ...EXCEPTIONS[service].keys })];
}

// Other tables are small, seldom change, or only grow.
const HOT: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: ["outbox", "idempotency_records", "sessions"],
  orders: ["outbox", "idempotency_records", "order_deltas", "orders"],
  content: ["outbox", "idempotency_records", "entries"],
  webhooks: ["outbox", "idempotency_records", "deliveries"],
};

// Partitions are left out, because they have the columns and keys of their table.
const TABLES = `
  select class.oid, relname as name,
         exists (select from pg_attribute where attrelid = class.oid and attname = 'tenant_id') as "hasTenant"
    from pg_class class join pg_namespace schema on schema.oid = relnamespace
   where nspname not in ('pg_catalog', 'information_schema') and relkind in ('r', 'p') and not relispartition`;

const UNIQUE_KEYS = `
  select tables.name as table,
         array_agg(pg_get_indexdef(indexrelid, key.position::integer, true) order by key.position) as columns
    from (${TABLES}) as tables join pg_index on indrelid = oid,
         unnest(indkey) with ordinality as key (attribute, position)
   where indisunique and key.position <= indnkeyatts
   group by indexrelid, tables.name`;

const FOREIGN_KEYS = `
  select pg_get_constraintdef(oid) as definition,
         exists (select from pg_index
                  where indrelid = conrelid and indpred is null
                    and (indkey::smallint[])[0:cardinality(conkey) - 1] @> conkey) as "hasIndex"
    from pg_constraint where contype = 'f' and conparentid = 0`;

/** The roles with which services run for requests of one tenant. */
const TENANT_ROLES: Readonly<Partial<Record<ServiceName, string>>> = {
  orders: "tradepost_orders",
  content: "tradepost_content",
  webhooks: "tradepost_webhooks_tenant",
};

// The tables of which the role may read or change a column, and the conditions of its permissive policies.
const POLICIES = `
  select tables.name, relrowsecurity as "isOn", array_agg(distinct concat(qual, with_check)) as conditions
    from (${TABLES}) as tables join pg_class on pg_class.oid = tables.oid
    left join pg_policies on tablename = tables.name and permissive = 'PERMISSIVE' and roles && array[$1::name, 'public']
   where "hasTenant" and has_any_column_privilege($1, tables.oid, 'select, insert, update')
   group by 1, 2`;
const OF_ONE_TENANT =
  "(tenant_id = (NULLIF(current_setting('tradepost.tenant_id'::text, true), ''::text))::uuid)";

const OPTIONS = `
  select relname, reloptions from pg_class
   where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and reloptions is not null`;

const COLUMNS = `
  select relname as table, array_agg(attname::text order by attname) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm') and not relispartition
   group by relname`;
const LOOKS_SECRET = /secret|hash|sealed|token|password|fingerprint/;
const NO_SECRETS = [
  ...["secret_preview", "previous_secret_until", "sealed_with", "hash"],
  ...["password_sign_in", "password_by_operator"],
];

const base = await createPlatformBase();
afterAll(() => removePlatformBase(base));

describe.each(SERVICES)("the database of %s", (service) => {
  let options: { relname: string; reloptions: string[] }[];
  let tables: string[];
  let keys: { table: string; columns: string[] }[];
  let foreignKeys: { definition: string; hasIndex: boolean }[];
  let policies: { name: string; isOn: boolean; conditions: string[] }[];

  beforeAll(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: each query returns another shape
    const read = (text: string, values: string[] = []): Promise<any[]> =>
      execute(base.databases[service].url, text, values);
    const role = TENANT_ROLES[service];
    policies = role === undefined ? [] : await read(POLICIES, [role]);
    tables = (await read(TABLES)).filter(({ hasTenant }) => !hasTenant).map(({ name }) => name);
    keys = await read(UNIQUE_KEYS);
    foreignKeys = await read(FOREIGN_KEYS);
    options = await read(OPTIONS);
  });

  test("has the tenant in every table and unique key, but for those that are named", () => {
    const without = keys
      .filter(({ columns }) => !columns.includes("tenant_id"))
      .map(({ table, columns }) => `${table} (${columns})`);
    expect([...tables, ...without].sort()).toEqual(exceptionsOf(service).sort());
    expect(keys.length).toBeGreaterThan(without.length);
  });

  test("has the tenant on both sides of every foreign key", () => {
    for (const { definition } of foreignKeys)
      expect(definition).toMatch(
        /^FOREIGN KEY \(tenant_id\b.*\) REFERENCES (?:\w+\(tenant_id\b|tenants\(id\))/,
      );
  });

  // So a statement without a condition on the tenant reads and changes no other tenant's rows.
  test("has row-level security on every table that the role of requests may use, but for the gateway", () => {
    expect(policies.length > 5).toBe(service in TENANT_ROLES);
    for (const { name, isOn, conditions } of policies)
      expect([name, isOn, conditions]).toEqual([name, true, [OF_ONE_TENANT]]);
  });

  // Without an index, deleting a referenced row reads the whole table.
  test("has an index that begins with the columns of each foreign key", () => {
    expect(foreignKeys.filter(({ hasIndex }) => !hasIndex)).toEqual([]);
  });

  test("has hot tables, and no others, that are vacuumed early and without pauses", () => {
    const early = ["autovacuum_vacuum_threshold=5000", "autovacuum_vacuum_cost_delay=0"];
    const scale = (table: string) => `autovacuum_vacuum_scale_factor=${table === "outbox" ? "0" : "0.01"}`;
    const expected = HOT[service].map((table) => [table, [scale(table), ...early].sort()]);
    const found = options.map(({ relname, reloptions }) => [relname, reloptions.sort()]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  test("is in the data map, with every table and column", async () => {
    type Row = { table: string; columns: string[] };
    const rows = await execute<Row>(base.databases[service].url, COLUMNS);
    const mapped = Object.entries(dataMap[service]).map(([table, mapping]) => [
      table,
      columnsOf(mapping).sort(),
    ]);
    expect(Object.fromEntries(mapped)).toEqual(
      Object.fromEntries(rows.map(({ table, columns }) => [table, columns])),
    );
  });

  test("is exported and deleted with every table that has a tenant, without what looks like a secret", () => {
    const map: Readonly<Record<string, MappedTable>> = dataMap[service];
    const known = tenantTables[service];
    const hasTenant = (name: string) =>
      // Rows of files to delete disappear with the files.
      name === "tenants" ||
      (name !== "storage_leftovers" && columnsOf(map[name] ?? {}).includes("tenant_id"));
    expect(known.map(({ name }) => name)).toEqual(Object.keys(map).filter(hasTenant));
    expect(new Set(known.map(({ kind }) => kind)).size).toBe(known.length);
    for (const { name, secrets } of known) {
      const secret = columnsOf(map[name] ?? {}).filter((column) => LOOKS_SECRET.test(column));
      expect(secret.filter((column) => ![...NO_SECRETS, ...secrets].includes(column))).toEqual([]);
    }
  });
});
