// Lists of resources of almost 2 MiB: a page is limited in bytes, and a service builds a limited number of responses at a time.
import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { execute } from "@tradepost/devstack";
import {
  type ApiClient,
  createServiceDatabase,
  createTestBroker,
  type ServiceProcess,
  signedClient,
  startServiceProcess,
} from "@tradepost/testing";
import { peakMib } from "../support/peak-mib.ts";

const RESIDENT_MIB_MAX = 400;
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
const ROWS = 40;
const LISTS = 8;
const LARGE_TEXT = "repeat(md5(n::text), 1900000 / 32)";

const FILL = {
  orders: `
    with customer as (
      insert into customers (tenant_id, id, name) values ($1, gen_random_uuid(), 'Ada') returning id
    ), placed as (
      insert into orders (tenant_id, id, order_number, customer_id, channel, currency, subtotal, shipping_total,
                          discount_total, tax_total, total, metadata)
      select $1, gen_random_uuid(), n, customer.id, 'admin', 'USD', 0, 0, 0, 0, 0,
             json_build_object('text', ${LARGE_TEXT})
        from generate_series(1, ${ROWS}) n, customer
      returning id)
    insert into order_lines (tenant_id, order_id, position, sku, name, quantity, unit_price, subtotal, tax_amount)
    select $1, id, 1, 'A-1', 'Mug', 1, 0, 0, 0 from placed`,
  content: `
    with type as (
      insert into content_types (tenant_id, id, slug, name, fields) values ($1, gen_random_uuid(), 'page', 'Page', '[]')
    ), entry as (
      insert into entries (tenant_id, id, type, locale, slug, revision)
      select $1, gen_random_uuid(), 'page', 'en', n, 1 from generate_series(1, ${ROWS}) n
      returning id, slug::integer as n)
    insert into entry_revisions (tenant_id, entry_id, id, revision, slug, data, actor)
    select $1, id, gen_random_uuid(), 1, n, json_build_object('text', ${LARGE_TEXT}), '{}' from entry`,
};

const LISTED = { orders: "/v1/orders", content: "/v1/entries" };

describe.each(["orders", "content"] as const)("lists of large resources of the %s service", (name) => {
  const running = new AsyncDisposableStack();
  let service: ServiceProcess;
  let tenant: ApiClient;
  let other: ApiClient;

  beforeAll(async () => {
    const [database, broker] = await Promise.all([createServiceDatabase(name), createTestBroker()]);
    running.defer(database.drop);
    running.defer(broker.drop);
    const secret = randomBytes(32).toString("hex");
    service = await startServiceProcess(
      fileURLToPath(new URL(`../../services/${name}/src/main.ts`, import.meta.url)),
      {
        // The flags of `npm start` and of the images.
        nodeFlags: ["--max-semi-space-size=8", "--max-old-space-size=768"],
        env: {
          MALLOC_ARENA_MAX: "1",
          [`${name.toUpperCase()}_DATABASE_URL`]: database.serviceUrl,
          AMQP_URL: broker.amqpUrl,
          GATEWAY_SECRET: secret,
          CONTENT_MEDIA_LINK_SECRETS: secret,
          LOG_LEVEL: "warn",
        },
      },
    );
    running.defer(async () => void (await service.kill("SIGTERM")));
    const tenantId = randomUUID();
    await execute(database.url, FILL[name], [tenantId]);
    tenant = signedClient(service.url, secret, { tenantId });
    other = signedClient(service.url, secret);
  });
  afterAll(() => running.disposeAsync());

  test("a page ends before it passes 2 MiB, and the cursor goes on after it", async () => {
    const ids: string[] = [];
    let path: string | undefined = `${LISTED[name]}?limit=100`;
    while (path !== undefined) {
      const response = await tenant.get(path);
      expect(response.status).toBe(200);
      expect(response.body.data.length).toBeGreaterThan(0);
      if (response.body.data.length > 1) expect(response.text.length).toBeLessThanOrEqual(PAGE_BYTES_MAX);
      ids.push(...response.body.data.map(({ id }: { id: string }) => id));
      path = /<(.*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      const { nextCursor } = response.body.page;
      expect(path ?? null).toBe(nextCursor && `${LISTED[name]}?limit=100&cursor=${nextCursor}`);
    }
    expect(new Set(ids).size).toBe(ROWS);
    expect(ids).toHaveLength(ROWS);
  });

  test("many at once take little memory, and another tenant's reads go on", async () => {
    let isRead = false;
    const list = async () => {
      for (let count = 0; count < 2 || !isRead; count += 1) {
        expect((await tenant.get(`${LISTED[name]}?limit=100`)).status).toBe(200);
      }
    };
    const lists = Promise.all(Array.from({ length: LISTS }, list));
    // The lists go on until the reads have ended.
    for (let count = 0; count < 3; count += 1) {
      expect((await other.get(`${LISTED[name]}?limit=1`)).status).toBe(200);
    }
    isRead = true;
    await lists;
    expect(peakMib(service.pid)).toBeLessThan(RESIDENT_MIB_MAX);
  });
});
