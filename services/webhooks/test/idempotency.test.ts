// Idempotency-Keys on every POST (interface §4): a request takes effect once, and repeats get the first response, without
// its secret.
import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { canonicalJson } from "@tradepost/runtime";
import { type Receiver, until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";
import type { TestTenant, TestWebhooks } from "./support/webhooks.ts";

interface Case {
  readonly path: string;
  readonly body?: object;
  /** Another request on the same route. */
  readonly other: { readonly path: string; readonly body?: object };
}

const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";
const SECRET = /^whsec_/;

describe("an Idempotency-Key", () => {
  let webhooks: TestWebhooks;
  let receiver: Receiver;
  let tenant: TestTenant;

  useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" }, (fixture) => {
    ({ webhooks, receiver, tenant } = fixture);
  });

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
  const action = async (name: string, body: object, other: object): Promise<Case> => {
    const path = `${SUBSCRIPTIONS}/${await subscribe()}/${name}`;
    return { path, body, other: { path, body: other } };
  };
  const CASES: [string, () => Promise<Case>][] = [
    [
      "subscriptions",
      async () => ({
        path: SUBSCRIPTIONS,
        body: input("A"),
        other: { path: SUBSCRIPTIONS, body: input("B") },
      }),
    ],
    ["subscriptions/:id/rotate-secret", () => action("rotate-secret", {}, { overlapHours: 1 })],
    ["subscriptions/:id/test", () => action("test", {}, { type: "media.uploaded" })],
    [
      "subscriptions/:id/recover",
      async () => {
        const path = `${SUBSCRIPTIONS}/${(await failed()).id}/recover`;
        const since = "2020-01-01T00:00:00Z";
        return { path, body: { since }, other: { path, body: { since, dryRun: true } } };
      },
    ],
    [
      "deliveries/:id/redeliver",
      async () => {
        const path = (id: string) => `/v1/webhooks/deliveries/${id}/redeliver`;
        return {
          path: path((await failed()).deliveryId),
          other: { path: path((await failed()).deliveryId) },
        };
      },
    ],
  ];

  const post = ({ path, body }: { path: string; body?: object }, key: string, of = tenant) =>
    of.owner().post(path, body, { "idempotency-key": key });
  const withoutSecret = (body: { data: Record<string, unknown> }) => ({
    ...body,
    data: { ...body.data, ...("signingSecret" in body.data && { signingSecret: null }) },
  });
  /** What a POST changes. */
  const state = async () => {
    const { rows } = await webhooks.pool.query(STATE, [tenant.tenantId]);
    return rows[0];
  };

  describe.each(CASES)("on POST /v1/webhooks/%s", (_name, prepare) => {
    test("makes a request take effect once, and repeats get the first response", async () => {
      const request = await prepare();
      const key = randomUUID();
      const before = await state();
      const first = await post(request, key);
      expect([first.status < 300, first.headers.get("idempotent-replayed")]).toEqual([true, null]);
      const after = await state();
      expect(after).not.toEqual(before);
      for (const _ of [1, 2]) {
        const again = await post(request, key);
        expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([
          first.status,
          withoutSecret(first.body),
          "true",
        ]);
        for (const header of ["location", "etag", "content-type", "cache-control"]) {
          expect([header, again.headers.get(header)]).toEqual([header, first.headers.get(header)]);
        }
      }
      expect(await state()).toEqual(after);
    });

    test("refuses another request under the same key, and is another key for another tenant", async () => {
      const request = await prepare();
      const key = randomUUID();
      await post(request, key);
      const before = await state();
      const { status, body } = await post(request.other, key);
      expect([status, body.error.code]).toEqual([422, "idempotency_key_reused"]);
      expect(await state()).toEqual(before);
      const stranger = await post(request, key, webhooks.tenant());
      expect(stranger.headers.get("idempotent-replayed")).toBeNull();
    });

    test("makes twins at the same moment one request", async () => {
      const request = await prepare();
      const key = randomUUID();
      const before = await state();
      const responses = await Promise.all([1, 2, 3].map(() => post(request, key)));
      expect(new Set(responses.map(({ status }) => status)).size).toBe(1);
      const replayed = responses.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
      expect(replayed).toHaveLength(2);
      const after = await state();
      expect(after.audited - before.audited).toBe(request.path.endsWith("/test") ? 0 : 1);
      expect(after.tests - before.tests).toBe(request.path.endsWith("/test") ? 1 : 0);
    });

    test("that is invalid is refused, and a request that failed may be repeated", async () => {
      const request = await prepare();
      const invalid = await post(request, "no spaces");
      expect([invalid.status, invalid.body.error.details[0].path]).toEqual([422, "Idempotency-Key"]);
      const key = randomUUID();
      const forbidden = await webhooks
        .as({ tenantId: tenant.tenantId, role: "viewer" })
        .post(request.path, request.body, { "idempotency-key": key });
      expect(forbidden.status).toBe(403);
      const { status, headers } = await post(request, key);
      expect([status < 300, headers.get("idempotent-replayed")]).toEqual([true, null]);
    });
  });

  test("repeats the response of a dry run, and no secret is stored", async () => {
    const { id } = await failed();
    const dry = {
      path: `${SUBSCRIPTIONS}/${id}/recover`,
      body: { since: "2020-01-01T00:00:00Z", dryRun: true },
    };
    const first = await post(dry, "dry");
    await post({ ...dry, body: { ...dry.body, dryRun: false } }, "wet");
    const again = await post(dry, "dry");
    expect([again.text, first.body.data]).toEqual([first.text, { id: null, matched: 1, requeued: 0 }]);
    const secrets = [
      (await post({ path: SUBSCRIPTIONS, body: input("A") }, "create")).body.data.signingSecret,
      (await post({ path: `${SUBSCRIPTIONS}/${id}/rotate-secret` }, "rotate")).body.data.signingSecret,
    ];
    const { rows } = await webhooks.pool.query(
      "select answer::text as answer from idempotency_records where tenant_id = $1",
      [tenant.tenantId],
    );
    expect(rows).toHaveLength(4);
    for (const secret of secrets) {
      expect(secret).toMatch(SECRET);
      expect(rows.map(({ answer }) => answer).join("\n")).not.toContain(secret.slice("whsec_".length));
    }
  });

  test("leaves no plain hash of the headers' values in the database", async () => {
    const create = { path: SUBSCRIPTIONS, body: input("A") };
    await post(create, "hashed");
    const { rows } = await webhooks.pool.query(
      "select fingerprint from idempotency_records where tenant_id = $1",
      [tenant.tenantId],
    );
    const plain = createHash("sha256")
      .update(`${SUBSCRIPTIONS}\n${canonicalJson(create.body)}`)
      .digest();
    expect(rows[0].fingerprint).toHaveLength(32);
    expect(rows[0].fingerprint.equals(plain)).toBe(false);
  });

  test("answers with the first response although the subscription has been deleted or is at its limit", async () => {
    const create = { path: SUBSCRIPTIONS, body: input("A") };
    const first = await post(create, "create");
    const { id } = first.body.data;
    const rotate = { path: `${SUBSCRIPTIONS}/${id}/rotate-secret` };
    const rotated = await post(rotate, "rotate");
    await tenant.unsubscribe(id);
    expect((await post(rotate, "rotate")).body).toEqual(withoutSecret(rotated.body));
    expect((await post(create, "create")).body).toEqual(withoutSecret(first.body));
    await Promise.all(Array.from({ length: 50 }, () => subscribe()));
    expect((await post(create, "create")).body).toEqual(withoutSecret(first.body));
    expect((await post(create, "new")).status).toBe(409);
  });

  test("expires after 24 hours, and its record is then deleted", async () => {
    const create = { path: SUBSCRIPTIONS, body: input("A") };
    const first = await post(create, "old");
    await webhooks.pool.query(
      "update idempotency_records set created_at = now() - interval '24 hours' where tenant_id = $1",
      [tenant.tenantId],
    );
    const second = await post(create, "old");
    expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    await webhooks.pool.query(
      "update idempotency_records set created_at = now() - interval '25 hours' where tenant_id = $1",
      [tenant.tenantId],
    );
    await webhooks.restart({});
    await until("no records", async () => {
      const { rowCount } = await webhooks.pool.query("select from idempotency_records where tenant_id = $1", [
        tenant.tenantId,
      ]);
      return rowCount === 0;
    });
  });
});

const STATE = `
  select (select json_agg(json_build_array(id, name, version) order by id) from subscriptions where tenant_id = $1) as subscriptions,
         (select count(*)::int from outbox where tenant_id = $1) as audited,
         (select count(*)::int from events where tenant_id = $1 and is_test) as tests,
         (select sum(generation)::int from all_deliveries where tenant_id = $1) as rounds`;
