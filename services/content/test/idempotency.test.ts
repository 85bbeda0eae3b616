// Idempotency-Keys on every POST with JSON (interface §4): a request takes effect once, and repeats get the first response.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import pg from "pg";
import { dataOf, inSeconds, newDraft, newLive, outcome, putType } from "./support/editing.ts";
import {
  type RecordedEvent,
  startTestContent,
  type TestContent,
  type TestTenant,
} from "./support/test-content.ts";

interface Case {
  readonly path: string;
  readonly body?: object;
  /** Another request on the same route. */
  readonly other: { readonly path: string; readonly body?: object };
}

const PUBLISH_AT = inSeconds(3_600);
const TITLE = { data: { title: "A" } };
const twoDrafts = async (tenant: TestTenant) => [
  (await newDraft(tenant, { title: "A" })).path,
  (await newDraft(tenant, { title: "B" })).path,
];

const EVERY_POST: [string, (tenant: TestTenant) => Promise<Case>][] = [
  [
    "redirects",
    async () => ({
      path: "/v1/redirects",
      body: { from: "/a b", to: "/b" },
      other: { path: "/v1/redirects", body: { from: "/c", to: "/d" } },
    }),
  ],
  [
    "entries",
    async () => ({
      path: "/v1/entries",
      body: { type: "article", ...TITLE },
      other: { path: "/v1/entries", body: { type: "article", data: {} } },
    }),
  ],
  [
    "entries/:id/publish",
    async (tenant) => {
      const [one, other] = await twoDrafts(tenant);
      return { path: `${one}/publish`, other: { path: `${other}/publish` } };
    },
  ],
  [
    "entries/:id/schedule",
    async (tenant) => {
      const [one] = await twoDrafts(tenant);
      const path = `${one}/schedule`;
      return {
        path,
        body: { publishAt: PUBLISH_AT },
        other: { path, body: { publishAt: inSeconds(7_200) } },
      };
    },
  ],
  [
    "entries/:id/unpublish",
    async (tenant) => {
      const [one, other] = [await newLive(tenant, { title: "A" }), await newLive(tenant, { title: "B" })];
      return { path: `${one.path}/unpublish`, other: { path: `${other.path}/unpublish` } };
    },
  ],
  [
    "entries/:id/revisions/:n/restore",
    async (tenant) => {
      const [one] = await twoDrafts(tenant);
      dataOf(await tenant.patch(String(one), { data: { title: "C" } }));
      return { path: `${one}/revisions/1/restore`, other: { path: `${one}/revisions/2/restore` } };
    },
  ],
];

describe("an Idempotency-Key", () => {
  let content: TestContent;
  let tenant: TestTenant;
  let eventsOf: (id: string) => Promise<RecordedEvent[]>;
  beforeAll(async () => {
    content = await startTestContent();
    eventsOf = await content.recordEvents();
  });
  afterAll(() => content.stop());

  const start = async () => {
    tenant = content.newTenant();
    await putType(tenant);
  };
  const post = ({ path, body }: { path: string; body?: object }, key: string, of = tenant) =>
    of.post(path, body, { "idempotency-key": key });
  const recordCount = async () =>
    (
      await content.sql("select count(*)::int as count from idempotency_records where tenant_id = $1", [
        tenant.tenantId,
      ])
    )[0].count;

  describe.each(EVERY_POST)("on POST /v1/%s", (_name, prepare) => {
    test("makes a request take effect once, and repeats get the first response", async () => {
      await start();
      const request = await prepare(tenant);
      const key = randomUUID();
      const before = (await eventsOf(tenant.tenantId)).length;
      const first = await post(request, key);
      expect([first.status < 300, first.headers.get("idempotent-replayed")]).toEqual([true, null]);
      const after = (await eventsOf(tenant.tenantId)).length;
      expect(after).toBeGreaterThan(before);
      for (const _ of [1, 2]) {
        const again = await post(request, key);
        expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([
          first.status,
          first.text,
          "true",
        ]);
        for (const header of ["location", "etag", "content-type"]) {
          expect(again.headers.get(header)).toBe(first.headers.get(header));
        }
      }
      const reused = await post(request.other, key);
      expect([outcome(reused), (await eventsOf(tenant.tenantId)).length]).toEqual([
        "422 idempotency_key_reused",
        after,
      ]);
      expect(await recordCount()).toBe(1);
    });

    test("gives twins at the same moment one effect and one response", async () => {
      await start();
      const request = await prepare(tenant);
      const key = randomUUID();
      const before = (await eventsOf(tenant.tenantId)).length;
      const responses = await Promise.all(Array.from({ length: 6 }, () => post(request, key)));
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(responses.filter(({ headers }) => headers.get("idempotent-replayed") === null).length).toBe(1);
      const events = (await eventsOf(tenant.tenantId)).slice(before).map(({ type }) => type);
      expect(new Set(events).size).toBe(events.length);
      expect(await recordCount()).toBe(1);
    });

    test.each(["", " ", "a b", "ü", "a".repeat(256)])("refuses the key %j", async (key) => {
      await start();
      const request = await prepare(tenant);
      const refused = await tenant.post(request.path, request.body, {
        "idempotency-key": Buffer.from(key).toString("latin1"),
      });
      expect([outcome(refused), refused.body.error.details[0].path]).toEqual([
        "422 validation_error",
        "Idempotency-Key",
      ]);
      expect(await recordCount()).toBe(0);
    });
  });

  test("is reported with the other faults of a request", async () => {
    await start();
    for (const [path, body, paths] of [
      ["/v1/redirects", { from: "x" }, ["Idempotency-Key", "from", "to"]],
      ["/v1/entries", { type: "none", slug: "-" }, ["Idempotency-Key", "data", "slug", "type"]],
    ] as const) {
      const { body: refused } = await post({ path, body }, "a b");
      expect(refused.error.details.map((one: { path: string }) => one.path).sort()).toEqual(paths);
    }
  });

  test("is not used up by a failure", async () => {
    await start();
    const { path } = await newDraft(tenant, {});
    const key = randomUUID();
    expect(outcome(await post({ path: `${path}/publish` }, key))).toBe("422 validation_error");
    dataOf(await tenant.patch(path, { data: { title: "A" } }));
    const published = await post({ path: `${path}/publish` }, key);
    expect([published.status, published.headers.get("idempotent-replayed")]).toEqual([200, null]);

    const other = randomUUID();
    await tenant.post("/v1/redirects", { from: "/taken", to: "/x" });
    expect(outcome(await post({ path: "/v1/redirects", body: { from: "/taken", to: "/y" } }, other))).toBe(
      "409 redirect_exists",
    );
    expect((await post({ path: "/v1/redirects", body: { from: "/free", to: "/y" } }, other)).status).toBe(
      201,
    );
  });

  test("repeats the first response although the resource is gone, or has changed since", async () => {
    await start();
    const request = { path: "/v1/redirects", body: { from: "/a", to: "/b" } };
    const key = randomUUID();
    const first = await post(request, key);
    dataOf(await tenant.delete(`/v1/redirects/${first.body.data.id}`));
    expect((await post(request, key)).text).toBe(first.text);
    expect((await tenant.get("/v1/redirects")).body.data).toEqual([]);

    const { path } = await newDraft(tenant, { title: "A" });
    const matching = { "if-match": '"1"', "idempotency-key": key };
    const published = await tenant.post(`${path}/publish`, undefined, matching);
    dataOf(await tenant.post(`${path}/unpublish`));
    const again = await tenant.post(`${path}/publish`, undefined, matching);
    expect([again.status, again.text]).toEqual([200, published.text]);
    expect(dataOf(await tenant.get(path)).status).toBe("draft");
  });

  test("belongs to a tenant and a route", async () => {
    await start();
    const key = randomUUID();
    const other = content.newTenant();
    await putType(other);
    const request = { path: "/v1/entries", body: { type: "article", ...TITLE } };
    const responses = [
      await post(request, key),
      await post(request, key, other),
      await post({ path: "/v1/redirects", body: { from: "/a", to: "/b" } }, key),
    ];
    expect(responses.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, null, null]);
    expect(new Set(responses.map((response) => dataOf(response).id)).size).toBe(3);
  });

  test("may be used again after 24 hours, when its record is deleted", async () => {
    await start();
    const key = randomUUID();
    const age = async () =>
      await content.sql(
        "update idempotency_records set created_at = now() - interval '25 hours' where tenant_id = $1",
        [tenant.tenantId],
      );
    const request = (from: string) => ({ path: "/v1/redirects", body: { from, to: "/x" } });
    dataOf(await post(request("/a"), key));
    await age();
    const second = await post(request("/b"), key);
    expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([201, null]);
    await age();
    await content.startReplica();
    await until("the record to be deleted", async () => (await recordCount()) === 0);
  });

  test.each([
    ["redirect", { path: "/v1/redirects", body: { from: "/a", to: "/b" } }, "redirects"],
    ["entry", { path: "/v1/entries", body: { type: "article", ...TITLE } }, "entries"],
  ])(
    "leaves no %s and no record when the connection to the database breaks",
    async (_name, request, table) => {
      await start();
      const key = randomUUID();
      const lock = new pg.Client(content.databaseUrl);
      await lock.connect();
      await lock.query("begin");
      await lock.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [tenant.tenantId]);
      await lock.query("select from content_types where tenant_id = $1 for update", [tenant.tenantId]);
      const pending = post(request, key);
      const waiting = await until("the request to wait for the lock", async () => {
        const { rows } = await lock.query(
          "select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))",
          [(await lock.query("select pg_backend_pid() as pid")).rows[0].pid],
        );
        return rows.length > 0 && rows;
      });
      for (const { pid } of waiting) await lock.query("select pg_terminate_backend($1)", [pid]);
      expect(outcome(await pending)).toBe("503 service_unavailable");
      await lock.query("rollback");
      await lock.end();
      const count = async () =>
        (
          await content.sql(`select count(*)::int as count from ${table} where tenant_id = $1`, [
            tenant.tenantId,
          ])
        )[0].count;
      expect([await count(), await recordCount()]).toEqual([0, 0]);
      expect((await post(request, key)).headers.get("idempotent-replayed")).toBe(null);
      expect((await post(request, key)).headers.get("idempotent-replayed")).toBe("true");
      expect([await count(), await recordCount()]).toEqual([1, 1]);
    },
  );

  test("of many redirects at once is recorded with its own redirect", async () => {
    await start();
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
    expect([await recordCount(), (await eventsOf(tenant.tenantId)).length - 1]).toEqual([30, 30]);
  });
});
