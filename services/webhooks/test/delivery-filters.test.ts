// The filters of the delivery log: what each one finds, and how many rows it reads of a large log.
import { randomUUID } from "node:crypto";
import { faultPaths, readPages } from "@tradepost/testing";
import { type DeliveryFilter, pageStatement } from "../src/log/list-deliveries.ts";
import { insertDelivered, makeDays } from "./support/past-days.ts";
import { rowsReadByTenant } from "./support/rows-read.ts";
import { useSharedWebhooks } from "./support/use-webhooks.ts";
import type { Json } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/deliveries";

// So long that the attempt that hangs does not time out.
const { webhooks, receiver, tenant } = useSharedWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: "20ms",
  WEBHOOKS_TIMEOUT_MS: "60000",
});

describe("the filters of the delivery log", () => {
  // Newest first.
  let all: Json[];
  const idOf: Record<string, string> = {};

  const list = async (query: Record<string, string | number>) => {
    const { status, body } = await tenant
      .owner()
      .get(`${PATH}?${new URLSearchParams(query as Record<string, string>)}`);
    expect([status, body.page]).toEqual([200, { nextCursor: null }]);
    return (body.data as Json[]).map(({ id }) => id);
  };

  /** Emits an event for a new subscription, which gets no other event. */
  const deliverTo = async (name: string, status: string) => {
    const { id } = await tenant.subscribe(`/${name}`);
    if (status === "paused") await tenant.setActive(id, false);
    await tenant.emit();
    idOf[name] = (await tenant.untilDelivery(id, status)).id;
    await tenant.change(id, { events: ["media.processed"] });
    return id;
  };

  beforeAll(async () => {
    receiver.behave(({ path, headers }) => {
      if (path === "/pending" || path === "/retrying") return "hang";
      if (path === "/reset") return "reset";
      if (path === "/second") return headers["x-service-attempt"] === "1" ? 503 : 201;
      return Number(path.slice(1));
    });
    await deliverTo("pending", "pending");
    await deliverTo("retrying", "pending");
    await receiver.waitFor("its attempt", ({ path }) => path === "/retrying");
    // As after a failed first attempt, whose retry is due in an hour.
    const failed = "status = 'retrying', attempt_count = 1, queue_state = 'delayed', locked_until = null";
    await webhooks.set(
      "deliveries",
      idOf.retrying ?? "",
      `${failed}, next_attempt_at = now() + interval '1 hour'`,
    );
    await tenant.unsubscribe(await deliverTo("cancelled", "paused"));
    for (const name of ["200", "204", "second"]) await deliverTo(name, "delivered");
    for (const name of ["500", "410", "reset"]) await deliverTo(name, "failed");
    await deliverTo("paused", "paused");
    all = (await tenant.owner().get(PATH)).body.data;
    expect(all).toHaveLength(10);
  });

  test("a delivery has its latest attempt if the request asks for it", async () => {
    for (const delivery of all) expect(delivery).not.toHaveProperty("lastAttempt");
    const { body } = await tenant.owner().get(`${PATH}?include=lastAttempt`);
    const attempts = new Map((body.data as Json[]).map(({ id, lastAttempt }) => [id, lastAttempt]));
    const of = (path: string) => attempts.get(idOf[path] ?? "");
    const attempt = { at: expect.any(String), durationMs: expect.any(Number) };
    expect(of("second")).toEqual({ ...attempt, outcome: "delivered", statusCode: 201 });
    expect(of("500")).toEqual({ ...attempt, outcome: "http_status", statusCode: 500 });
    expect(of("reset")).toEqual({ ...attempt, outcome: "connection_reset", statusCode: null });
    expect(of("paused")).toBeNull();
    const { status, body: refused } = await tenant.owner().get(`${PATH}?include=attempts`);
    expect([status, refused.error.details]).toEqual([
      422,
      [{ path: "include", message: "must be lastAttempt" }],
    ]);
  });

  test.each([
    [{ outcome: "delivered" }, ["second", "204", "200"]],
    [{ outcome: "http_status" }, ["410", "500"]],
    [{ outcome: "connection_reset" }, ["reset"]],
    [{ outcome: "timeout" }, []],
    [{ statusCode: 204 }, ["204"]],
    [{ statusCode: 201 }, ["second"]],
    // Only an earlier attempt had this status.
    [{ statusCode: 503 }, []],
    [{ statusCode: 410, outcome: "http_status", status: "failed", type: "redirect.added" }, ["410"]],
    [{ statusCode: 410, outcome: "delivered" }, []],
    [{ status: "failed", outcome: "http_status" }, ["410", "500"]],
    [{ status: "delivered" }, ["second", "204", "200"]],
    [{ status: "failed" }, ["reset", "410", "500"]],
    ...["pending", "retrying", "paused", "cancelled"].map((status) => [{ status }, [status]] as const),
    [{ type: "media.processed" }, []],
    [{ type: "shop.opened_again" }, []],
  ])("%j finds the deliveries by their status, type or latest attempt", async (query, expected) => {
    expect(await list(query as Record<string, string | number>)).toEqual(expected.map((name) => idOf[name]));
  });

  test("eventId finds the deliveries of one event, and subscriptionId those of one subscription", async () => {
    for (const { id, eventId, subscriptionId } of all) {
      expect(await list({ eventId })).toEqual([id]);
      expect(await list({ subscriptionId, type: "redirect.added" })).toEqual([id]);
    }
    expect(await list({ eventId: all[0].eventId.toUpperCase() })).toEqual([all[0].id]);
    expect(await list({ eventId: randomUUID() })).toEqual([]);
  });

  test("createdAfter is inclusive, createdBefore exclusive, in any zone and with any filter", async () => {
    const [createdAfter, createdBefore] = [all[4].createdAt, all[2].createdAt];
    const between = all.filter(({ createdAt }) => createdAt >= createdAfter && createdAt < createdBefore);
    expect(between.length).toBeGreaterThan(0);
    expect(await list({ createdAfter, createdBefore })).toEqual(between.map(({ id }) => id));
    const offset = createdAfter.replace("Z", "+00:00");
    expect(await list({ createdAfter: offset, createdBefore })).toEqual(between.map(({ id }) => id));
    expect(await list({ createdAfter, status: "failed" })).toEqual([idOf.reset, idOf["410"], idOf["500"]]);
    expect(await list({ createdBefore: all.at(-1).createdAt })).toEqual([]);
  });

  test("every invalid filter is named", async () => {
    const query =
      "eventId=1&outcome=ok&statusCode=2000&createdAfter=today&createdBefore=2026-08-20&to=1&status=open&type=redirect.*";
    const { status, body } = await tenant.owner().get(`${PATH}?${query}`);
    expect(status).toBe(422);
    expect(faultPaths({ body })).toEqual(
      ["createdAfter", "createdBefore", "eventId", "outcome", "status", "statusCode", "to", "type"].sort(),
    );
    expect(body.error.details).toContainEqual({ path: "type", message: "must be one event type" });
  });
});

describe("in a log of 60,000 deliveries over five days", () => {
  const tenantId = randomUUID();
  const [subscriptionId, rareSubscriptionId, rareEventId] = [randomUUID(), randomUUID(), randomUUID()];
  const SEARCHED_MAX = 10_000;

  beforeAll(async () => {
    await makeDays(webhooks.pool, [0, 1, 2, 3, 4], ["delivery_log", "attempts"]);
    // One every six seconds.
    const made =
      "select gen_random_uuid() as id, now() - n * interval '6 s' as at from generate_series(1, 60000) n";
    await insertDelivered(webhooks.pool, tenantId, subscriptionId, made);
    await webhooks.query(INSERT_RARE, tenantId, rareSubscriptionId, rareEventId);
    await webhooks.query("analyze delivery_log, attempts");
  });

  test.each<[string, DeliveryFilter, number]>([
    ["an event", { eventId: rareEventId }, 500],
    ["a subscription", { subscriptionId: rareSubscriptionId }, 500],
    ["a status of failures", { status: "failed" }, 500],
    ["an outcome of failures", { outcome: "tls_failed" }, 500],
    ["a status code of failures", { statusCode: 410 }, 500],
    ["a status that most have", { status: "delivered" }, 500],
    ["a time", { createdBefore: new Date(Date.now() - 100 * 3_600_000).toISOString() }, 500],
    ["nothing", {}, 500],
    ["a type that few have", { type: "redirect.removed" }, 5 * SEARCHED_MAX],
    ["a status code of successes that few have", { statusCode: 204 }, 5 * SEARCHED_MAX],
  ])("%s reads a bounded number of rows", async (_, filter, rowsMax) => {
    const statement = pageStatement(tenantId, { limit: 25, cursor: null, ...filter });
    expect(await rowsReadByTenant(webhooks, tenantId, statement)).toBeLessThan(rowsMax);
  });

  test("a rare type is found by following the cursor, over pages that may be empty", async () => {
    const pages = await readPages(webhooks.as({ tenantId }), `${PATH}?type=redirect.removed&limit=2`);
    // The three oldest of 60,003 rows.
    expect(pages.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 0, 2, 1]);
  });
});

// Older than all others.
const INSERT_RARE = `
  with rare as (
    select gen_random_uuid() as id, now() - interval '101 hours' as at, *
      from (values ('delivered', 'delivered', 204), ('failed', 'http_status', 410), ('failed', 'tls_failed', null::integer))
           as rare (status, outcome, status_code)
  ), attempted as (
    insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code)
    select $1, id, 1, 1, at, 5, outcome, status_code from rare
  )
  insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                            created_at, completed_at)
  select $1, id, $2, $3, 'redirect.removed', status, 1, 1, at, at from rare`;
