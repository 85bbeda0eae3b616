// A pooler in transaction mode in front of all databases (interface §16): Debian's PgBouncer, which does not support named
// prepared statements. It has fewer connections to Postgres than the services have to it.
import {
  findPgbouncer,
  forEachService,
  type PrivatePgbouncer,
  SERVICES,
  startPgbouncer,
} from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import pg from "pg";
import {
  createPlatformBase,
  type PlatformBase,
  removePlatformBase,
  startTestPlatform,
  type TestPlatform,
} from "../support/test-platform.ts";

const CONNECTIONS = 3;
const TENANTS = 6;

const program = await findPgbouncer(console.log);
const describeWithPooler = program === undefined ? describe.skip : describe;

describeWithPooler("a platform behind PgBouncer (if it is available)", () => {
  let base: PlatformBase;
  let pooler: PrivatePgbouncer;
  let platform: TestPlatform;

  beforeAll(async () => {
    base = await createPlatformBase();
    const { databases } = base;
    const urls = SERVICES.map((service) => databases[service].serviceUrl);
    if (program === undefined) throw new Error("there is no PgBouncer");
    pooler = await startPgbouncer(program, urls, CONNECTIONS);
    const pooled = forEachService((service) => {
      return { ...databases[service], serviceUrl: pooler.through(databases[service].serviceUrl) };
    });
    const settings = { POSTGRES_POOLER: "transaction", POSTGRES_PREPARE: "false" };
    platform = await startTestPlatform(settings, undefined, { ...base, databases: pooled });
  });
  afterAll(async () => {
    await platform.stop();
    await pooler.stop();
    await removePlatformBase(base);
  });

  test("carries orders, content and webhooks of several tenants at once", async () => {
    const receiver = await platform.startReceiver();
    const tenants = await Promise.all(Array.from({ length: TENANTS }, () => platform.createTenant()));
    await Promise.all(
      tenants.map(async ({ key, customerId, subscribe }) => {
        await subscribe(receiver.url);
        for (let turn = 0; turn < 5; turn += 1) {
          const items = [{ sku: "MUG", name: "Mug", quantity: 1, unitPrice: 5 }];
          const [order, redirect] = await Promise.all([
            key.post("/v1/orders", { customerId, items }),
            key.post("/v1/redirects", { from: `/old-${turn}`, to: "/new" }),
          ]);
          expect([order.status, redirect.status]).toEqual([201, 201]);
        }
      }),
    );
    // Row-level security uses the tenant of each transaction and no other.
    await Promise.all(
      tenants.flatMap(({ key, customerId }) =>
        Array.from({ length: 10 }, async () => {
          const { body } = await key.get("/v1/orders");
          expect(body.data.map((order: { customerId: string }) => order.customerId)).toEqual(
            Array(5).fill(customerId),
          );
          expect((await key.get("/v1/redirects")).body.data).toHaveLength(5);
        }),
      ),
    );
    await until("a webhook for each redirect", () => receiver.received.length >= TENANTS * 5);
    expect(receiver.received).toHaveLength(TENANTS * 5);
  });

  test("leaves no tenant, role or setting on the connections to Postgres", async () => {
    for (const service of SERVICES) {
      const client = new pg.Client(pooler.through(base.databases[service].serviceUrl));
      await client.connect();
      for (let turn = 0; turn < CONNECTIONS * 2; turn += 1) {
        const { rows } = await client.query(
          `select nullif(current_setting('tradepost.tenant_id', true), '') as tenant, current_user = session_user as own,
                  current_setting('enable_seqscan') as seqscan, current_setting('statement_timeout') as timeout`,
        );
        expect(rows).toEqual([{ tenant: null, own: true, seqscan: "on", timeout: "0" }]);
      }
      await client.end();
    }
  });
});
