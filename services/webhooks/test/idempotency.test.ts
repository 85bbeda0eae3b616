// Idempotency-Keys (interface §4): every POST honours them, a replay shows no secret, and the database has neither a secret nor
// a plain hash of one. What all services have in common is tested in packages/idempotency.
import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { canonicalJson } from "@tradepost/json";
import { checkKeyedPost, type KeyedPost, until } from "@tradepost/testing";
import { routes } from "../src/routes.ts";
import { listen } from "./support/listen.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";
const LISTENERS = "/v1/webhooks/listeners";
const SINCE = "2020-01-01T00:00:00Z";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const counts = async (): Promise<Record<string, number>> =>
  (await webhooks.query(COUNTS, tenant.tenantId))[0];
const post = ({ path, body }: { path: string; body?: object }, key: string) =>
  tenant.owner().post(path, body, { "idempotency-key": key });
const input = (name: string) => ({
  ...{ name, url: `${receiver.url}/hook`, events: ["redirect.added"], headers: { "X-Key": "k" } },
});
const subscribe = async () => (await tenant.subscribe(`${receiver.url}/hook`)).id;
const failed = async () => {
  receiver.behave(() => 500);
  const id = await subscribe();
  await webhooks.emit(tenant.tenantId);
  const delivery = await tenant.untilDelivery(id, "failed");
  receiver.behave(() => 200);
  return { id, deliveryId: delivery.id };
};
const leased = async () => {
  const listener = await listen(tenant);
  await webhooks.emit(tenant.tenantId);
  const [first] = await listener.lease({ limit: 1, waitSeconds: 25 });
  return { listener, path: `${listener.path}/deliveries/${first?.deliveryId}` };
};
/** A POST that acts on a subscription, with the subscription's current version. */
const acted = async (
  id: string,
  name: string,
  more: Omit<KeyedPost, "path" | "headers">,
): Promise<KeyedPost> => {
  const { headers } = await tenant.owner().get(`${SUBSCRIPTIONS}/${id}`);
  return {
    path: `${SUBSCRIPTIONS}/${id}/${name}`,
    headers: { "if-match": headers.get("etag") ?? "" },
    ...more,
  };
};

const CASES: Record<string, () => Promise<KeyedPost>> = {
  [SUBSCRIPTIONS]: async () => ({
    ...{ path: SUBSCRIPTIONS, body: input("A"), otherBody: input("B") },
    ...{ refusedBody: { ...input("A"), events: ["order.placed"] }, secrets: ["signingSecret"] },
    writes: { subscriptions: 1, versions: 1, audited: 1 },
  }),
  [`${SUBSCRIPTIONS}/:id/rotate-secret`]: async () =>
    await acted(await subscribe(), "rotate-secret", {
      ...{ body: {}, otherBody: { overlapHours: 1 }, secrets: ["signingSecret"] },
      writes: { versions: 1, audited: 1 },
    }),
  [`${SUBSCRIPTIONS}/:id/test`]: async () =>
    await acted(await subscribe(), "test", {
      ...{ body: {}, otherBody: { type: "media.uploaded" } },
      writes: { tests: 1, rounds: 1 },
    }),
  [`${SUBSCRIPTIONS}/:id/recover`]: async () =>
    await acted((await failed()).id, "recover", {
      ...{ body: { since: SINCE }, otherBody: { since: SINCE, dryRun: true }, isCompletedLater: true },
      writes: { audited: 1, replays: 1, rounds: 1 },
    }),
  [`${SUBSCRIPTIONS}/:id/replays`]: async () =>
    await acted((await failed()).id, "replays", {
      body: { since: SINCE, include: "failed" },
      otherBody: { since: SINCE, include: "all" },
      isCompletedLater: true,
      writes: { audited: 1, replays: 1, rounds: 1 },
    }),
  [`${SUBSCRIPTIONS}/filter-preview`]: async () => ({
    ...{ path: `${SUBSCRIPTIONS}/filter-preview`, writes: {} },
    ...{ body: { events: ["redirect.added"] }, otherBody: { events: ["media.uploaded"] } },
    refusedBody: { events: [] },
  }),
  [`${SUBSCRIPTIONS}/:id/retry-waiting`]: async () =>
    await acted(await subscribe(), "retry-waiting", { writes: { audited: 1 } }),
  "/v1/notices/:id/acknowledge": async () => {
    receiver.behave(() => 410);
    const id = await subscribe();
    await webhooks.emit(tenant.tenantId);
    const notice = await until("a notice", async () => {
      const { body } = await tenant.owner().get(`/v1/notices?subscriptionId=${id}`);
      return body.data[0] as { id: string } | undefined;
    });
    return { path: `/v1/notices/${notice.id}/acknowledge`, writes: {} };
  },
  "/v1/webhooks/deliveries/:id/redeliver": async () => ({
    path: `/v1/webhooks/deliveries/${(await failed()).deliveryId}/redeliver`,
    writes: { audited: 1, rounds: 1 },
  }),
  [LISTENERS]: async () => ({
    ...{ path: LISTENERS, body: { events: ["redirect.added"] }, otherBody: { events: ["media.uploaded"] } },
    ...{ refusedBody: { events: ["order.placed"] }, secrets: ["signingSecret"] },
    writes: { listeners: 1, subscriptions: 1, versions: 1, audited: 1 },
  }),
  [`${LISTENERS}/:id/deliveries/:deliveryId/result`]: async () => ({
    path: `${(await leased()).path}/result`,
    body: { attempt: 1, statusCode: 500, durationMs: 5 },
    otherBody: { attempt: 1, statusCode: 200, durationMs: 5 },
    writes: { attempts: 1 },
  }),
  [`${LISTENERS}/:id/deliveries/:deliveryId/redeliver`]: async () => {
    const { listener, path } = await leased();
    const deliveryId = path.split("/").at(-1) ?? "";
    await listener.report(deliveryId, { attempt: 1, statusCode: 204, durationMs: 5 });
    return { path: `${path}/redeliver`, writes: { audited: 1, rounds: 1 } };
  },
};

// Only the rows are read. A lease is not repeated: it would lease other deliveries.
const POSTS = routes({ guard: {} } as never).filter(
  ({ method, path }) => method === "POST" && path !== `${LISTENERS}/:id/lease`,
);

test.each(POSTS.map(({ path }) => path))(
  "POST %s takes effect once under its Idempotency-Key",
  async (path) => {
    const post = await CASES[path]?.();
    if (post === undefined) throw new Error("this route has no case in the table");
    await checkKeyedPost(post, { client: tenant.owner(), stranger: webhooks.tenant().owner(), counts });
  },
);

test("the response of a dry run is repeated, and no secret is stored", async () => {
  const { id } = await failed();
  const dry = { path: `${SUBSCRIPTIONS}/${id}/recover`, body: { since: SINCE, dryRun: true } };
  const first = await post(dry, "dry");
  await post({ ...dry, body: { ...dry.body, dryRun: false } }, "wet");
  const again = await post(dry, "dry");
  expect([again.text, first.body.data]).toEqual([first.text, { id: null, matched: 1, requeued: 0 }]);
  const secrets = [
    (await post({ path: SUBSCRIPTIONS, body: input("A") }, "create")).body.data.signingSecret,
    (await post({ path: `${SUBSCRIPTIONS}/${id}/rotate-secret` }, "rotate")).body.data.signingSecret,
    (await post({ path: LISTENERS, body: { events: ["redirect.added"] } }, "listen")).body.data.signingSecret,
  ];
  const rows = await webhooks.query(
    "select answer::text as answer from idempotency_records where tenant_id = $1",
    tenant.tenantId,
  );
  expect(rows).toHaveLength(5);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_/);
    expect(rows.map(({ answer }) => answer).join("\n")).not.toContain(secret.slice("whsec_".length));
  }
});

test("the database has no plain hash of the headers' values", async () => {
  const create = { path: SUBSCRIPTIONS, body: input("A") };
  await post(create, "hashed");
  const rows = await webhooks.query(
    "select fingerprint from idempotency_records where tenant_id = $1",
    tenant.tenantId,
  );
  const plain = createHash("sha256")
    .update(`${SUBSCRIPTIONS}\n${canonicalJson(create.body)}`)
    .digest();
  expect(rows[0].fingerprint).toHaveLength(32);
  expect(rows[0].fingerprint.equals(plain)).toBe(false);
});

test("a service that starts deletes the records that have expired", async () => {
  await webhooks.query(
    `insert into idempotency_records (tenant_id, route, key, fingerprint, answer, created_at)
     values ($1, 'POST /v1/webhooks/listeners', 'old', '', '{}', now() - interval '24 hours')`,
    randomUUID(),
  );
  await webhooks.restart({});
  await until("the old record to go", async () => {
    const { length: rowCount } = await webhooks.query("select from idempotency_records where key = 'old'");
    return rowCount === 0;
  });
});

const COUNTS = `
  select (select count(*)::int from subscriptions where tenant_id = $1) as subscriptions,
         (select sum(version)::int from subscriptions where tenant_id = $1) as versions,
         (select count(*)::int from listeners where tenant_id = $1) as listeners,
         (select count(*)::int from replays where tenant_id = $1) as replays,
         (select count(*)::int
            from (select tenant_id from outbox union all select tenant_id from published_events) as event
           where tenant_id = $1) as audited,
         (select count(*)::int from events where tenant_id = $1 and is_test) as tests,
         (select count(*)::int
            from attempts
            join all_deliveries as delivery on delivery.id = attempts.delivery_id
            join listeners on listeners.subscription_id = delivery.subscription_id
           where attempts.tenant_id = $1) as attempts,
         (select sum(generation)::int from all_deliveries where tenant_id = $1) as rounds,
         (select count(*)::int from idempotency_records where tenant_id = $1) as records`;
