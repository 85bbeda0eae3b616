// Each service's login to its database, in the hands of an intruder: it reaches that database only, and there it does
// what the service does and nothing more.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { SERVICES, type ServiceName } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import pg from "pg";
import { credentialsOf } from "./support/credentials.ts";
import {
  type LaunchedPlatform,
  launchPlatform,
  newDataDir,
  removeDataDir,
} from "./support/launch-platform.ts";

const REFUSED = "42501";

/** What each may act as, and a table of its own. */
const ROLES: Record<ServiceName, { actsAs: readonly string[]; table: string }> = {
  gateway: { actsAs: ["tradepost_gateway"], table: "audit_log" },
  orders: { actsAs: ["tradepost_orders", "tradepost_orders_worker"], table: "orders" },
  content: { actsAs: ["tradepost_content", "tradepost_content_worker"], table: "entries" },
  webhooks: { actsAs: ["tradepost_webhooks", "tradepost_webhooks_tenant"], table: "deliveries" },
};
const ALL_ROLES = SERVICES.flatMap((service) => ROLES[service].actsAs);

/** What no service may do to its database, whichever of its roles it acts as. */
const deeds = (table: string): string[] => [
  `truncate ${table}`,
  `drop table ${table}`,
  `drop table ${table} cascade`,
  `alter table ${table} add column mine text`,
  `alter table ${table} disable row level security`,
  `alter table ${table} owner to current_user`,
  `alter table ${table} disable trigger all`,
  `create policy mine on ${table} using (true)`,
  `create rule mine as on insert to ${table} do instead nothing`,
  `create index on ${table} (tenant_id)`,
  `comment on table ${table} is 'mine'`,
  "create table mine (id integer)",
  "create table public.mine (id integer)",
  "create temporary table mine (id integer)",
  "create view mine as select 1",
  "create function mine() returns integer language sql as 'select 1'",
  "create schema mine",
  "create extension pg_trgm",
  "create role mine",
  "create database mine",
  "alter role current_user superuser",
  "alter role current_user createrole",
  "alter role current_user bypassrls",
  "alter database orders owner to current_user",
  "alter schema public owner to current_user",
  "alter system set work_mem = '1MB'",
  "drop schema public cascade",
  "update kysely_migration set name = 'mine'",
  "delete from kysely_migration",
  "copy (select 1) to program 'true'",
  "copy (select 1) to '/tmp/mine'",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  "select * from pg_authid",
  "set session authorization postgres",
  "set session authorization tradepost",
  "set role postgres",
  "set role tradepost",
];

describe("the credentials of a service for its database", () => {
  const dataDir = newDataDir();
  let platform: LaunchedPlatform;
  let has: ReturnType<typeof credentialsOf>;

  beforeAll(async () => {
    platform = await launchPlatform({ LOG_LEVEL: "warn", CANARY_EVERY_MS: "1000" }, dataDir);
    has = credentialsOf(platform);
  }, 180_000);
  afterAll(async () => {
    await platform.stop();
    removeDataDir(dataDir);
  }, 60_000);

  const owner = async (service: ServiceName, text: string) => {
    const client = new pg.Client({ connectionString: platform.now().databases[service] });
    await client.connect();
    const { rows } = await client.query(text).finally(() => client.end());
    return rows;
  };
  const codeOf = (client: pg.Client, text: string): Promise<unknown> =>
    client.query(text).then(
      () => `done: ${text}`,
      ({ code }) => code,
    );
  /** Out: the deeds that were not refused, each tried on a connection of its own. */
  const notRefused = async (service: ServiceName, role: string | undefined, all: readonly string[]) => {
    const done: string[] = [];
    for (const deed of all) {
      const client = await has.database(service, role);
      const code = await codeOf(client, deed);
      if (code !== REFUSED) done.push(`${deed}: ${code}`);
      await client.end();
    }
    return done;
  };

  describe.each(SERVICES)("%s", (service) => {
    const { actsAs, table } = ROLES[service];
    const asEach = [undefined, ...actsAs];

    test("log in to no other database", async () => {
      for (const other of [...SERVICES, "postgres", "template1"].filter((name) => name !== service)) {
        const client = new pg.Client({ connectionString: has.databaseUrl(service, other) });
        await expect(client.connect()).rejects.toMatchObject({ code: REFUSED });
      }
    });

    test("belong to a role that owns nothing and has no attribute but its login", async () => {
      const [role] = await owner(
        service,
        `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls or rolinherit as may,
                (select count(*)::int from pg_class where relowner = pg_roles.oid) as owns
           from pg_roles where rolname = 'tradepost_${service}_login'`,
      );
      expect(role).toEqual({ may: false, owns: 0 });
      const rows = await owner(
        service,
        `select roleid::regrole::text as role, admin_option as admin from pg_auth_members
          where member = 'tradepost_${service}_login'::regrole order by 1`,
      );
      expect(rows).toEqual(actsAs.map((role) => ({ role, admin: false })));
      const deeper = await owner(
        service,
        `select from pg_auth_members where member = any('{${actsAs}}'::regrole[])`,
      );
      expect(deeper).toEqual([]);
    });

    test("read nothing as the login itself", async () => {
      expect(
        await notRefused(service, undefined, [`select from ${table}`, "select from kysely_migration"]),
      ).toEqual([]);
    });

    test.each(asEach)("change nothing that is the owner's, acting as %s", async (role) => {
      expect(await notRefused(service, role, deeds(table))).toEqual([]);
      // Who may grant nothing is only warned.
      await notRefused(service, role, [`grant all on ${table} to public`]);
      const grants = "select from information_schema.role_table_grants";
      expect(await owner(service, `${grants} where grantee = 'PUBLIC' and table_schema = 'public'`)).toEqual(
        [],
      );
    });

    test.each(asEach)("become no role but the service's own, acting as %s", async (role) => {
      const others = ["pg_read_all_data", "pg_execute_server_program", "pg_signal_backend", ...ALL_ROLES];
      const logins = SERVICES.filter((name) => name !== service).map((name) => `tradepost_${name}_login`);
      const foreign = [...others, ...logins].filter((name) => !actsAs.includes(name));
      expect(
        await notRefused(
          service,
          role,
          foreign.map((name) => `set role ${name}`),
        ),
      ).toEqual([]);
    });
  });

  describe.each([
    ["orders", "orders", "tradepost_orders"],
    ["content", "entries", "tradepost_content"],
    ["webhooks", "deliveries", "tradepost_webhooks_tenant"],
  ] as const)("%s: row-level security", (service, table, role) => {
    test("shows no row without a tenant, and cannot be switched off", async () => {
      const client = await has.database(service, role);
      const { rows } = await client.query(`select count(*)::int from ${table}`);
      expect(rows).toEqual([{ count: 0 }]);
      await client.query("set row_security = off");
      expect(await codeOf(client, `select from ${table}`)).toBe(REFUSED);
      await client.end();
    });
  });

  describe.each([
    ["orders", "orders", "tradepost_orders_worker"],
    ["content", "entries", "tradepost_content_worker"],
    ["webhooks", "deliveries", "tradepost_webhooks_tenant"],
  ] as const)("%s: the rows of tenants", (service, table, role) => {
    test(`are not deleted by ${role}`, async () => {
      expect(await notRefused(service, role, [`delete from ${table}`])).toEqual([]);
    });
  });

  describe("gateway: the audit log", () => {
    const BECOME = [
      "select",
      "reset role",
      "set role none",
      "reset all",
      "discard all",
      "set session authorization default",
      "reset session authorization",
      "set role tradepost_gateway",
      "reset role; set role tradepost_gateway",
      "begin; set local role none",
    ];
    const DEEDS = [
      "update audit_log set action = 'nothing'",
      "update audit_log set action = 'nothing' where false",
      "delete from audit_log",
      "insert into audit_log select * from audit_log on conflict (tenant_id, id) do update set action = 'nothing'",
      "merge into audit_log using (select 1) as one on true when matched then delete",
      "with gone as (delete from audit_log returning *) select from gone",
      "select from audit_log for update",
      "truncate audit_log",
      "truncate tenants cascade",
      "drop table audit_log",
      "alter table audit_log rename to mine",
      "create trigger mine before insert on audit_log execute function suppress_redundant_updates_trigger()",
      "create rule mine as on insert to audit_log do instead nothing",
      "alter table audit_log owner to current_user",
    ];

    test.each(BECOME)("cannot be changed after %s", async (become) => {
      const before = await owner("gateway", "select audit_log::text as row from audit_log order by id");
      expect(before.length).toBeGreaterThan(0);
      const all = DEEDS.map((deed) => `${become}; ${deed}`).filter((text) => !text.startsWith("discard"));
      const client = await has.database("gateway", "tradepost_gateway");
      for (const deed of DEEDS) {
        for (const part of become.split("; ")) await client.query(part);
        expect([deed, await codeOf(client, deed)]).toEqual([deed, REFUSED]);
        await client.query("rollback");
      }
      await client.end();
      // In one message, too.
      expect(await notRefused("gateway", "tradepost_gateway", all)).toEqual([]);
      const after = await owner("gateway", "select audit_log::text as row from audit_log order by id");
      expect(after).toEqual(before);
    });

    test("keeps its tenants: none that has entries can be deleted", async () => {
      const client = await has.database("gateway", "tradepost_gateway");
      await expect(client.query("delete from tenants")).rejects.toMatchObject({ code: "23503" });
      await expect(client.query("update tenants set id = gen_random_uuid()")).rejects.toMatchObject({
        code: "23503",
      });
      await client.end();
    });
  });

  test("are enough for what the services do: a canary goes from a commit to a signed webhook", async () => {
    const { gatewayUrl } = platform.now();
    await expect(fetch(`${gatewayUrl}/readyz`)).resolves.toMatchObject({ status: 200 });
    const arrived = "select count(*)::int from delivery_log where status = 'delivered'";
    for (let count = 0; count === 0; ) {
      [{ count }] = (await owner("webhooks", arrived)) as [{ count: number }];
      await sleep(100);
    }
    // Partitions for the days to come, which the services' roles have had made.
    const days = `select count(*)::int from pg_inherits where inhparent = 'published_events'::regclass`;
    for (const service of ["orders", "content", "webhooks"] as const)
      expect(await owner(service, days)).toEqual([{ count: 5 }]);
  }, 60_000);
});
