// An intruder has a service's logins. The database login may do only what the service does in its own database.
// The broker user may only publish what the service publishes and use the service's queues. deploy/rabbitmq/platform.json and
// each README list the broker's permissions.
import { readFileSync } from "node:fs";
import path from "node:path";
import { execute, ROOT, SERVICES, type ServiceName } from "@tradepost/devstack";
import { apiClient, bearer, requestManagement, until } from "@tradepost/testing";
import pg from "pg";
import { type Credentials, credentialsOf, publish } from "../support/credentials.ts";
import { launchPlatform, removeDataDir } from "../support/launch-platform.ts";

const INSUFFICIENT_PRIVILEGE = "42501";
const ACCESS_REFUSED = 403;

const platform = await launchPlatform({ LOG_LEVEL: "warn", CANARY_EVERY_MS: "1000" });
const credentials = credentialsOf(platform);
afterAll(async () => {
  await credentials.close();
  await platform.stop();
  removeDataDir(platform.dataDir);
});

/** The roles that each login may use, and one of the service's tables. */
const ROLES: Record<ServiceName, { actsAs: readonly string[]; table: string }> = {
  gateway: { actsAs: ["tradepost_gateway"], table: "audit_log" },
  orders: { actsAs: ["tradepost_orders", "tradepost_orders_worker"], table: "orders" },
  content: { actsAs: ["tradepost_content", "tradepost_content_worker"], table: "entries" },
  webhooks: { actsAs: ["tradepost_webhooks", "tradepost_webhooks_tenant"], table: "deliveries" },
};
const ALL_ROLES = SERVICES.flatMap((service) => ROLES[service].actsAs);

/** Returns statements that no service may execute in its database, in any of its roles. */
const forbiddenStatements = (table: string): string[] => [
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

describe("the database login of a service", () => {
  const owner = (service: ServiceName, text: string) => execute(platform.now().databases[service], text);
  const codeOf = (client: pg.Client, text: string): Promise<unknown> =>
    client.query(text).then(
      () => `done: ${text}`,
      ({ code }) => code,
    );
  /** Resolves with the statements that were not refused. */
  const notRefused = async (service: ServiceName, role: string | undefined, all: readonly string[]) => {
    const done: string[] = [];
    const client = await credentials.database(service, role);
    for (const statement of all) {
      const code = await codeOf(client, statement);
      if (code !== INSUFFICIENT_PRIVILEGE) done.push(`${statement}: ${code}`);
      // Some statements begin a transaction.
      await client.query("rollback");
    }
    await client.end();
    return done;
  };

  describe.each(SERVICES)("%s", (service) => {
    const { actsAs, table } = ROLES[service];
    const asEach = [undefined, ...actsAs];

    test("cannot log in to another database", async () => {
      for (const other of [...SERVICES, "postgres", "template1"].filter((name) => name !== service)) {
        const client = new pg.Client({ connectionString: credentials.databaseUrl(service, other) });
        await expect(client.connect()).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE });
      }
    });

    test("works on a database whose owner has no attribute except login, and with roles that have none", async () => {
      const attributes = "rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls";
      const [own] = await owner(
        service,
        `select ${attributes} as may, rolcanlogin as login, rolname = pg_get_userbyid(datdba) as owns
           from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
      );
      expect(own).toEqual({ may: false, login: true, owns: true });
      const login = `tradepost_${service}_login`;
      const members = `select roleid::regrole::text as role, admin_option as admin from pg_auth_members
                        where member = '${login}'::regrole order by 1`;
      expect(await owner(service, members)).toEqual(actsAs.map((role) => ({ role, admin: false })));
      for (const none of [
        // The owner ran every migration, so it owns all tables.
        `select from pg_class where relnamespace = 'public'::regnamespace and relowner <> current_user::regrole`,
        `select from pg_roles where rolname = any('{${actsAs}}') and (${attributes} or rolcanlogin)`,
        `select from pg_roles where rolname = '${login}' and (${attributes} or rolinherit)`,
        `select from pg_class where relowner = '${login}'::regrole`,
        `select from pg_auth_members where member = any('{${actsAs}}'::regrole[])`,
      ])
        expect([none, await owner(service, none)]).toEqual([none, []]);
    });

    test("can read nothing without one of its roles", async () => {
      const reads = [`select from ${table}`, "select from kysely_migration"];
      expect(await notRefused(service, undefined, reads)).toEqual([]);
    });

    test.each(asEach)("cannot change what the owner may change, as %s", async (role) => {
      expect(await notRefused(service, role, forbiddenStatements(table))).toEqual([]);
      // A grant without the right to it gives a warning, not an error.
      await notRefused(service, role, [`grant all on ${table} to public`]);
      const toPublic = "where grantee = 'PUBLIC' and table_schema = 'public'";
      expect(await owner(service, `select from information_schema.role_table_grants ${toPublic}`)).toEqual(
        [],
      );
    });

    test.each(asEach)("cannot take another role, as %s", async (role) => {
      const others = ["pg_read_all_data", "pg_execute_server_program", "pg_signal_backend", ...ALL_ROLES];
      const logins = SERVICES.filter((name) => name !== service).map((name) => `tradepost_${name}_login`);
      const foreign = [...others, ...logins].filter((name) => !actsAs.includes(name));
      const statements = foreign.map((name) => `set role ${name}`);
      expect(await notRefused(service, role, statements)).toEqual([]);
    });
  });

  test.each([
    ["orders", "orders", "tradepost_orders", "tradepost_orders_worker"],
    ["content", "entries", "tradepost_content", "tradepost_content_worker"],
    ["webhooks", "deliveries", "tradepost_webhooks_tenant", "tradepost_webhooks_tenant"],
  ] as const)(
    "%s: shows no row of %s without a tenant, and deletes none",
    async (service, table, role, worker) => {
      const client = await credentials.database(service, role);
      const { rows } = await client.query(`select count(*)::int from ${table}`);
      expect(rows).toEqual([{ count: 0 }]);
      await client.query("set row_security = off");
      expect(await codeOf(client, `select from ${table}`)).toBe(INSUFFICIENT_PRIVILEGE);
      await client.end();
      expect(await notRefused(service, worker, [`delete from ${table}`])).toEqual([]);
    },
  );

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
    const CHANGES = [
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
      const all = CHANGES.map((change) => `${become}; ${change}`).filter(
        (text) => !text.startsWith("discard"),
      );
      const client = await credentials.database("gateway", "tradepost_gateway");
      for (const change of CHANGES) {
        for (const part of become.split("; ")) await client.query(part);
        expect([change, await codeOf(client, change)]).toEqual([change, INSUFFICIENT_PRIVILEGE]);
        await client.query("rollback");
      }
      await client.end();
      // The same statements, sent in one message.
      expect(await notRefused("gateway", "tradepost_gateway", all)).toEqual([]);
      const after = await owner("gateway", "select audit_log::text as row from audit_log order by id");
      expect(after).toEqual(before);
    });

    test("keeps its tenants: a tenant with entries cannot be deleted", async () => {
      const client = await credentials.database("gateway", "tradepost_gateway");
      for (const change of ["delete from tenants", "update tenants set id = gen_random_uuid()"])
        expect([change, await codeOf(client, change)]).toEqual([change, "23503"]);
      await client.end();
    });
  });

  test("is enough for the services: a canary arrives as a signed webhook", async () => {
    const { gatewayUrl } = platform.now();
    await expect(fetch(`${gatewayUrl}/readyz`)).resolves.toMatchObject({ status: 200 });
    const arrived = "select count(*)::int from delivery_log where status = 'delivered'";
    await until("a canary", async () => Number((await owner("webhooks", arrived))[0]?.count) > 0);
    // With the services' roles, an intruder could create partitions for the coming days.
    const days = `select count(*)::int from pg_inherits where inhparent = 'published_events'::regclass`;
    for (const service of SERVICES) expect(await owner(service, days)).toEqual([{ count: 5 }]);
  });
});

const QUEUES: Record<ServiceName, readonly string[]> = {
  gateway: ["gateway.audit", "gateway.audit.poison", "gateway.replay"],
  orders: ["orders.replay"],
  content: ["content.media", "content.poison", "content.replay"],
  webhooks: ["webhooks.events", "webhooks.deliveries", "webhooks.dead", "webhooks.poison", "webhooks.replay"],
};
const SHARED = ["platform.events", "platform.audit", "platform.replay"] as const;
const ALL_QUEUES = SERVICES.flatMap((service) => QUEUES[service]);

/** The exchange and routing key of each service's messages. */
const PUBLISHES: Record<ServiceName, readonly string[]> = {
  gateway: ["platform.events tenant.created", "platform.replay platform.audit"],
  orders: [
    "platform.events order.placed",
    "platform.events order.refunded",
    "platform.audit customer.erased",
    "platform.audit customers.exported",
    "platform.audit orders.exported",
  ],
  content: [
    "platform.events redirect.removed",
    "platform.events content.revision.created",
    "platform.events content_type.upserted",
    "platform.events media.deleted",
    "platform.audit content_type.updated",
    "platform.audit media_link.created",
    "platform.audit media_links.ended",
  ],
  webhooks: [
    "platform.audit webhook_subscription.created",
    "platform.audit webhook_listener.deleted",
    "platform.replay platform.events",
  ],
};
const EVERYTHING = [
  ...Object.values(PUBLISHES).flat(),
  "platform.audit user.deleted",
  "platform.audit api_key.created",
  "platform.audit auth.login",
  "platform.events product.created",
  "platform.replay anything",
];

const definitions = JSON.parse(readFileSync(path.join(ROOT, "deploy/rabbitmq/platform.json"), "utf8")) as {
  permissions: Record<"user" | "configure" | "write" | "read", string>[];
  topic_permissions: Record<"user" | "exchange" | "write" | "read", string>[];
  exchanges: { name: string }[];
};

describe("the broker user of a service", () => {
  describe.each(SERVICES)("%s", (service) => {
    const others = ALL_QUEUES.filter((queue) => !QUEUES[service].includes(queue));
    const queuesOf = (name: ServiceName) => `${name}.queues`;
    const otherExchanges = SERVICES.filter((name) => name !== service).map(queuesOf);
    type Request = Parameters<Credentials["broker"]>[1];
    const codeOf = (request: Request) => credentials.broker(service, request);
    /** Expects that the broker refuses each request. */
    const expectRefused = async (what: string, ...requests: Request[]) => {
      for (const request of requests) expect([what, await codeOf(request)]).toEqual([what, ACCESS_REFUSED]);
    };

    test("publishes what the service publishes, and nothing that another service publishes", async () => {
      for (const one of new Set(EVERYTHING)) {
        const [exchange = "", key = ""] = one.split(" ");
        const code = await codeOf(publish(exchange, key));
        expect([one, code]).toEqual([one, PUBLISHES[service].includes(one) ? null : ACCESS_REFUSED]);
      }
    });

    test("cannot publish to a queue through the default exchange or another service's", async () => {
      for (const queue of ALL_QUEUES) await expectRefused(queue, publish("", queue));
      const ofBroker = ["direct", "topic", "fanout", "headers", "match"].map((type) => `amq.${type}`);
      for (const exchange of [...otherExchanges, ...ofBroker])
        await expectRefused(exchange, publish(exchange, ""));
    });

    test("cannot consume, change or bind another service's queue", async () => {
      for (const queue of others)
        await expectRefused(
          queue,
          (channel) => channel.consume(queue, () => undefined),
          (channel) => channel.get(queue),
          (channel) => channel.purgeQueue(queue),
          (channel) => channel.deleteQueue(queue),
          (channel) => channel.assertQueue(queue, { durable: true }),
          (channel) => channel.bindQueue(queue, "platform.events", "#"),
          (channel) => channel.unbindQueue(queue, "platform.events", "#"),
        );
    });

    test("cannot declare or delete what is shared, new, or another service's", async () => {
      for (const exchange of [...SHARED, ...otherExchanges, "mine"]) {
        await expectRefused(
          exchange,
          (channel) => channel.deleteExchange(exchange),
          (channel) => channel.assertExchange(exchange, "topic"),
        );
        // A service may bind its own exchange to an exchange to which it may publish (docs/security.md).
        if (!PUBLISHES[service].some((one) => one.startsWith(`${exchange} `)))
          await expectRefused(exchange, (channel) => channel.bindExchange(exchange, queuesOf(service), "#"));
      }
      for (const queue of ["mine", "", "amq.gen-mine"])
        await expectRefused(queue, (channel) => channel.assertQueue(queue));
    });

    test("can bind only the events that the service consumes", async () => {
      const consumes: Record<ServiceName, readonly string[]> = {
        gateway: ["platform.audit #", "platform.replay platform.events"],
        orders: ["platform.replay platform.events", "platform.replay platform.audit"],
        content: [
          "platform.events media.uploaded",
          "platform.replay platform.events",
          "platform.replay platform.audit",
        ],
        webhooks: ["platform.events redirect.added", "platform.replay platform.audit"],
      };
      const foreign = [
        ...Object.values(consumes).flat(),
        ...SHARED.map((exchange) => `${exchange} #`),
        "platform.events order.placed",
      ].filter((one) => !consumes[service].includes(one));
      // The webhooks service consumes all events.
      const isConsumed = (one: string) => service === "webhooks" && one.startsWith("platform.events");
      for (const one of foreign.filter((each) => !isConsumed(each))) {
        const [exchange = "", key = ""] = one.split(" ");
        const [queue = ""] = QUEUES[service];
        await expectRefused(one, (channel) => channel.bindQueue(queue, exchange, key));
      }
    });

    test("cannot use the management API", async () => {
      for (const request of [
        ...["GET /overview", "GET /queues", "GET /definitions", "PUT /users/mine"],
        ...["DELETE /queues/%2F/webhooks.dead", "POST /exchanges/%2F/amq.default/publish"],
      ]) {
        const [method = "", what = ""] = request.split(" ");
        const refusal = `management API responded with 401 to ${request}: `;
        await expect(credentials.manage(service, method, what)).rejects.toThrow(refusal);
      }
    });
  });

  test("may publish every entry of the audit log that a service other than the gateway writes", () => {
    const patterns = definitions.topic_permissions
      .filter(({ exchange }) => exchange === "platform.audit")
      .map(({ write }) => new RegExp(write));
    const page = readFileSync(path.join(ROOT, "docs/interface.md"), "utf8");
    const table = /\| action \| target \|\n.*?\n\n/s.exec(page)?.[0] ?? "";
    const ofTheGateway = /^(shop|auth|identity|user|second_factor|security|api_key|module|tenant)\./;
    const others = [...table.matchAll(/`(\w+\.\w+)`/g)]
      .map(([, action = ""]) => action)
      .filter((action) => !ofTheGateway.test(action));
    expect(others).toContain("webhook_replay.started");
    expect(others.filter((action) => !patterns.some((pattern) => pattern.test(action)))).toEqual([]);
  });

  test("has the permissions that the service's README names", () => {
    for (const service of SERVICES) {
      const readme = readFileSync(path.join(ROOT, "services", service, "README.md"), "utf8");
      const { configure, write, read } = definitions.permissions.find(({ user }) => user === service) ?? {};
      const lines = [`configure  ${configure}`, `write      ${write}`, `read       ${read}`];
      const topics = definitions.topic_permissions
        .filter(({ user }) => user === service)
        .map((topic) => `${topic.exchange}  write ${topic.write}  read ${topic.read}`);
      expect(readme).toContain(["```", ...lines, ...topics, "```"].join("\n"));
    }
  });

  test("still works after an operator has deleted a shared exchange, which is declared again", async () => {
    const { gatewayUrl, demo, ...addresses } = platform.now();
    const managementUrl = addresses.managementUrl ?? "";
    await requestManagement(managementUrl, "DELETE", "/exchanges/%2F/platform.events");
    const client = apiClient(gatewayUrl, bearer(demo.apiKey));
    const redirect = { from: "/after-deletion", to: "/there" };
    expect((await client.post("/v1/redirects", redirect)).status).toBe(201);
    const bindings = "/bindings/%2F/e/platform.events/q/webhooks.events";
    await until("the queue's binding to the new exchange", async () => {
      const found = await requestManagement(managementUrl, "GET", bindings).catch(() => []);
      return (found as unknown[]).length > 0;
    });
    const { content } = platform.now().databases;
    // Ends the wait before the next retry.
    await execute(content, "update outbox set next_try_at = now()");
    await until("an empty outbox", async () => (await execute(content, "select from outbox")).length === 0);
    const events = (await platform.ops("queues")) as { name: string; consumers: number }[];
    expect(events.find(({ name }) => name === "webhooks.events")?.consumers).toBe(1);
  });
});
