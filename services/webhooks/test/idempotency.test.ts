// Idempotency-Keys (interface §4): the database has neither a secret nor a plain hash of one. packages/idempotency tests what all
// services have in common, and tests/contract/api-examples repeats every POST.
import { createHash, randomUUID } from "node:crypto";
import { canonicalJson } from "@tradepost/json";
import { failDeliveries } from "./support/failed-deliveries.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";
const LISTENERS = "/v1/webhooks/listeners";
const SINCE = "2020-01-01T00:00:00Z";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const post = ({ path, body }: { path: string; body?: object }, key: string) =>
  tenant.owner().post(path, body, { "idempotency-key": key });
const input = (name: string) => ({
  ...{ name, url: `${receiver.url}/hook`, events: ["redirect.added"], headers: { "X-Key": "k" } },
});
test("the response of a dry run is repeated, and no secret is stored", async () => {
  const { id } = await failDeliveries({ webhooks, receiver, tenant });
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
  const text = "select answer::text as answer from idempotency_records where tenant_id = $1";
  const rows = await webhooks.query(text, tenant.tenantId);
  expect(rows).toHaveLength(5);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_/);
    expect(rows.map(({ answer }) => answer).join("\n")).not.toContain(secret.slice("whsec_".length));
  }
});

test("the database has no plain hash of the headers' values", async () => {
  const create = { path: SUBSCRIPTIONS, body: input("A") };
  await post(create, "hashed");
  const text = "select fingerprint from idempotency_records where tenant_id = $1";
  const rows = await webhooks.query(text, tenant.tenantId);
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
  await webhooks.untilNone("select from idempotency_records where key = 'old'");
});
