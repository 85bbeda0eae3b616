// Destinations that are slow or broken do not keep notices from others (interface §17).
import { createServer, type Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startWithReceiver } from "./support/use-webhooks.ts";
import type { TestTenant, TestWebhooks } from "./support/webhooks.ts";

const PATH = "/v1/notices/destination";

/** As many notices as a tenant may have at once. */
async function openNotices({ pool }: TestWebhooks, tenants: readonly TestTenant[], count: number) {
  await pool.query(
    `insert into notice_messages (tenant_id, id, notice_id, change, channel, notice)
     select tenant_id, gen_random_uuid(), gen_random_uuid(), 'opened', channel,
            '{"subject": "Test", "kind": "endpoint_down", "openedAt": "2026-01-01T00:00:00.000Z", "whatHappensNext": "Nothing."}'
       from unnest($1::uuid[]) as tenant (tenant_id)
      cross join unnest(array['webhook', 'mail']) as channel
       join notice_destinations using (tenant_id)
      cross join generate_series(1, $2)
      where case channel when 'mail' then cardinality(emails) > 0 else url is not null end`,
    [tenants.map(({ tenantId }) => tenantId), count],
  );
}

test("a destination that hangs leaves room for the others, however many notices it has", async () => {
  const started = await startWithReceiver({ WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_TIMEOUT_MS: "60000" });
  await using _ = { [Symbol.asyncDispose]: started.stop };
  const { webhooks, receiver } = started;
  const hanging: (() => void)[] = [];
  receiver.behave(({ path }) => (path === "/hangs" ? (res) => void hanging.push(() => res.end()) : 200));
  const slow = webhooks.tenant();
  await slow.owner().put(PATH, { url: `${receiver.url}/hangs` });
  await openNotices(webhooks, [slow], 30);
  await receiver.waitFor("the first notice", ({ path }) => path === "/hangs");
  const other = webhooks.tenant();
  await other.owner().put(PATH, { url: `${receiver.url}/fine` });
  await openNotices(webhooks, [other], 30);
  await until("the other's", () => receiver.received.filter(({ path }) => path === "/fine").length === 30);
  expect(receiver.received.filter(({ path }) => path === "/hangs")).toHaveLength(1);
  receiver.behave(() => 200);
  for (const respond of hanging) respond();
}, 60_000);

test("a mail server that hangs gets a few connections, and what is posted is sent meanwhile", async () => {
  const sockets: Socket[] = [];
  const smtp = createServer((socket) => void sockets.push(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const { port } = smtp.address() as { port: number };
  const started = await startWithReceiver(
    { NOTICES_SMTP_URL: `smtp://127.0.0.1:${port}`, NOTICES_MAIL_FROM: "notices@shop.example" },
    { mailAfterMs: 100 },
  );
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      smtp.close();
      await started.stop();
    },
  };
  const { webhooks, receiver } = started;
  receiver.behave(() => 200);
  const mailed = Array.from({ length: 40 }, () => webhooks.tenant());
  for (const { tenantId } of mailed) await mailToAda(webhooks, tenantId);
  await openNotices(webhooks, mailed, 1);
  await until("a connection to the mail server", () => sockets.length > 0);
  const posted = webhooks.tenant();
  await posted.owner().put(PATH, { url: `${receiver.url}/fine` });
  await openNotices(webhooks, [posted], 1);
  await until("the notice", () => receiver.received.length === 1, 9_000);
  expect(sockets.length).toBeLessThanOrEqual(20);
}, 60_000);

test("a notice that cannot be signed is given up after its attempts", async () => {
  const started = await startWithReceiver({ WEBHOOKS_RETRY_SCHEDULE: "10ms,10ms" });
  await using _ = { [Symbol.asyncDispose]: started.stop };
  const { webhooks, receiver } = started;
  const tenant = webhooks.tenant();
  await tenant.owner().put(PATH, { url: `${receiver.url}/unsigned` });
  await webhooks.pool.query("update notice_destinations set secret_sealed = '\\x00' where tenant_id = $1", [
    tenant.tenantId,
  ]);
  await openNotices(webhooks, [tenant], 1);
  await until(
    "the message to be given up",
    async () => (await webhooks.pool.query("select from notice_messages")).rowCount === 0,
    20_000,
  );
  expect(receiver.received).toEqual([]);
}, 60_000);

async function mailToAda(webhooks: TestWebhooks, tenantId: string): Promise<void> {
  const emails = ["ada@shop.example"];
  const { status } = await webhooks
    .as({ tenantId, role: "owner", confirmedEmails: emails })
    .put(PATH, { emails });
  expect(status).toBe(200);
}

test("a mail that fails counts for each of its notices by itself", async () => {
  const refusing = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  const { port } = refusing.address() as { port: number };
  const started = await startWithReceiver(
    {
      WEBHOOKS_RETRY_SCHEDULE: "1h,2h",
      NOTICES_SMTP_URL: `smtp://127.0.0.1:${port}`,
      NOTICES_MAIL_FROM: "notices@shop.example",
    },
    { mailAfterMs: 5_000 },
  );
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      refusing.close();
      await started.stop();
    },
  };
  const { webhooks } = started;
  const tenant = webhooks.tenant();
  await mailToAda(webhooks, tenant.tenantId);
  // No mail is due before the numbers of attempts are set.
  await openNotices(webhooks, [tenant], 3);
  await webhooks.pool.query(
    `update notice_messages set attempt_count = age.attempts, created_at = now() - age.attempts * interval '1 hour'
       from (select id, row_number() over () - 1 as attempts from notice_messages) age
      where age.id = notice_messages.id`,
  );
  const waits = async () =>
    (
      await webhooks.pool.query<{ attempt: number; hours: number }>(
        `select attempt_count as attempt, round(extract(epoch from next_attempt_at - now()) / 3600)::integer as hours
           from notice_messages order by attempt_count`,
      )
    ).rows;
  // The third was tried for the last time.
  const later = [
    { attempt: 1, hours: 1 },
    { attempt: 2, hours: 2 },
  ];
  await until("the failure to be recorded", async () => isDeepStrictEqual(await waits(), later), 20_000);
}, 60_000);

test("mails that no server can take are dropped", async () => {
  const started = await startWithReceiver({});
  await using _ = { [Symbol.asyncDispose]: started.stop };
  const { webhooks } = started;
  const tenant = webhooks.tenant();
  // As if it was set while there was a mail server.
  await webhooks.pool.query(
    "insert into notice_destinations (tenant_id, emails) values ($1, '{ada@shop.example}')",
    [tenant.tenantId],
  );
  await openNotices(webhooks, [tenant], 2);
  await webhooks.pool.query("update notice_messages set created_at = now() - interval '2 days'");
  await until(
    "the mails to be dropped",
    async () => (await webhooks.pool.query("select from notice_messages")).rowCount === 0,
    20_000,
  );
}, 60_000);

test("of two first PUTs at once one makes the secret", async () => {
  const started = await startWithReceiver({});
  await using _ = { [Symbol.asyncDispose]: started.stop };
  const { webhooks, receiver } = started;
  for (let round = 0; round < 10; round += 1) {
    const tenant = webhooks.tenant();
    const put = () => tenant.owner().put(PATH, { url: `${receiver.url}/notices` });
    const puts = await Promise.all([put(), put(), put()]);
    const secrets = puts.map(({ body }) => body.data.signingSecret).filter(Boolean);
    expect(secrets).toHaveLength(1);
    expect((await tenant.owner().get(PATH)).body.data.signingSecretPreview).toBe(secrets[0].slice(0, 8));
  }
}, 60_000);
