// A redirect or an entry commits with the record of its Idempotency-Key (interface §4). packages/idempotency tests what all services
// have in common, and tests/contract/api-examples repeats every POST.
import { randomUUID } from "node:crypto";
import { invalidFields, until } from "@tradepost/testing";
import { outcome, putType } from "./support/editing.ts";
import { ownTestContent, type TestTenant } from "./support/test-content.ts";

let tenant: TestTenant;
const content = await ownTestContent();
beforeEach(async () => {
  tenant = content.newTenant();
  await putType(tenant);
});

/** The counts of what POSTs write for the tenant. */
const counts = async (): Promise<Record<string, number>> => (await content.sql(COUNTS, [tenant.tenantId]))[0];
const post = ({ path, body }: { path: string; body?: object }, key: string) =>
  tenant.post(path, body, { "idempotency-key": key });

const ENTRY = { type: "article", data: { title: "A" } };
test("an invalid Idempotency-Key is reported with the faults of an entry, and of its fields", async () => {
  const refused = await post({ path: "/v1/entries", body: { type: "none", slug: "-" } }, "a b");
  expect(invalidFields(refused)).toBe("Idempotency-Key data slug type");
});

test.each([
  ["redirect", { path: "/v1/redirects", body: { from: "/a", to: "/b" } }, "redirects"],
  ["entry", { path: "/v1/entries", body: ENTRY }, "entries"],
])(
  "no %s and no record are left when the connection to the database breaks",
  async (_name, request, table) => {
    const before = await counts();
    const redirects = "select pg_advisory_xact_lock(hashtextextended($1, 0))";
    const lock = await content.hold(redirects, [tenant.tenantId]);
    await lock.query("select from content_types where tenant_id = $1 for update", [tenant.tenantId]);
    const pending = post(request, "k");
    const waiting = await until("the request to wait for the lock", async () => {
      await lock.query("select pg_stat_clear_snapshot()");
      const { rows } = await lock.query(
        "select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))",
        [(await lock.query("select pg_backend_pid() as pid")).rows[0].pid],
      );
      return rows.length > 0 && rows;
    });
    for (const { pid } of waiting) await lock.query("select pg_terminate_backend($1)", [pid]);
    expect(outcome(await pending)).toBe("503 service_unavailable");
    await lock.release();
    expect(await counts()).toEqual(before);
    expect((await post(request, "k")).headers.get("idempotent-replayed")).toBe(null);
    expect((await post(request, "k")).headers.get("idempotent-replayed")).toBe("true");
    expect(await counts()).toMatchObject({ [table]: Number(before[table]) + 1, records: 1 });
  },
);

test("of many redirects at once each is recorded with its own key", async () => {
  const before = await counts();
  const requests = Array.from({ length: 40 }, (_, n) => ({
    key: `key-${n % 30}`,
    path: "/v1/redirects",
    body: { from: `/many ${n % 30}`, to: "https://elsewhere.example" },
  }));
  const responses = await Promise.all(requests.map((request) => post(request, request.key)));
  for (const [n, response] of responses.entries()) {
    expect([response.status, response.body.data.from]).toEqual([201, `/many%20${n % 30}`]);
    expect(response.headers.get("location")).toBe(`/v1/redirects/${response.body.data.id}`);
  }
  const { records, events } = await counts();
  expect([records, Number(events) - Number(before.events)]).toEqual([30, 30]);
});

test("a service that starts deletes the records that have expired", async () => {
  await content.sql(
    `insert into idempotency_records (tenant_id, route, key, fingerprint, answer, created_at)
     values ($1, 'POST /v1/redirects', 'old', '', '{}', now() - interval '24 hours')`,
    [randomUUID()],
  );
  await content.startReplica();
  await until("the old record to go", async () => {
    const rows = await content.sql("select from idempotency_records where key = 'old'");
    return rows.length === 0;
  });
});

const COUNTS = `
  select (select count(*)::int from redirects where tenant_id = $1) as redirects,
         (select count(*)::int from entries where tenant_id = $1) as entries,
         (select count(*)::int
            from (select tenant_id from outbox union all select tenant_id from published_events) as event
           where tenant_id = $1) as events,
         (select count(*)::int from idempotency_records where tenant_id = $1) as records`;
