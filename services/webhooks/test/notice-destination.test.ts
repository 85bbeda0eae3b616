// Where notices are sent: a signed POST, and mail (interface §17).
import type { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { quoted } from "../src/notices/mail-notices.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";

const PATH = "/v1/notices/destination";

let mails: { to: string[]; text: string }[] = [];
let smtp: SMTPServer;
let started: Awaited<ReturnType<typeof startWithReceiver>>;

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const address = (smtp.server as ReturnType<typeof createServer>).address() as { port: number };
  started = await startWithReceiver(
    {
      WEBHOOKS_RETRY_SCHEDULE: "50ms,50ms",
      NOTICES_SMTP_URL: `smtp://127.0.0.1:${address.port}`,
      NOTICES_MAIL_FROM: "notices@shop.example",
    },
    { mailAfterMs: 1_000 },
  );
});
afterAll(async () => {
  await started.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

/** Makes a delivery fail for good, which also makes the endpoint gone. */
async function failOne(tenant: ReturnType<typeof started.webhooks.tenant>, path = "/fails") {
  const { id } = await tenant.subscribe(`${started.receiver.url}${path}`);
  await started.webhooks.emit(tenant.tenantId);
  await tenant.untilDelivery(id, "failed");
  return id;
}

test("a notice that opens or closes is posted once, signed like a webhook", async () => {
  const { webhooks, receiver } = started;
  const tenant = webhooks.tenant();
  receiver.received.length = 0;
  receiver.behave(({ path }) => (path === "/notices" ? 200 : 410));
  const put = await tenant.owner().put(PATH, { url: `${receiver.url}/notices`, kinds: ["endpoint_gone"] });
  expect(put).toMatchObject({
    status: 200,
    body: { data: { signingSecret: expect.stringMatching(/^whsec_/) } },
  });
  const id = await failOne(tenant);
  const opened = await receiver.waitFor("the notice", ({ path }) => path === "/notices");
  expect(opened.headers["x-service-event"]).toBe("notice.opened");
  const { data } = new Webhook(put.body.data.signingSecret).verify(
    opened.body.toString(),
    opened.headers as Record<string, string>,
  ) as { data: { notice: object } };
  expect(data.notice).toMatchObject({ kind: "endpoint_gone", subscriptionId: id, closedAt: null });
  await tenant.unsubscribe(id);
  const closed = await receiver.waitFor(
    "its end",
    ({ headers }) => headers["x-service-event"] === "notice.closed",
  );
  expect(JSON.parse(closed.body.toString()).data.notice).toMatchObject({ closedAt: expect.any(String) });
  expect(receiver.received.filter(({ path }) => path === "/notices")).toHaveLength(2);
});

test("a destination that fails is tried again, and makes no notice", async () => {
  const { webhooks, receiver } = started;
  const tenant = webhooks.tenant();
  receiver.received.length = 0;
  receiver.behave(() => 500);
  await tenant.owner().put(PATH, { url: `${receiver.url}/broken`, kinds: ["delivery_failed"] });
  await failOne(tenant);
  await until(
    "three attempts",
    () => receiver.received.filter(({ path }) => path === "/broken").length === 3,
  );
  await until("the message to be given up", async () => {
    const { rowCount } = await webhooks.pool.query("select from notice_messages where tenant_id = $1", [
      tenant.tenantId,
    ]);
    return rowCount === 0;
  });
  const { body } = await tenant.owner().get("/v1/notices");
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(["delivery_failed"]);
  const attempts = receiver.received
    .filter(({ path }) => path === "/broken")
    .map(({ headers }) => headers["x-service-attempt"]);
  expect(attempts).toEqual(["1", "2", "3"]);
});

test("each recipient gets one mail that says what opened", async () => {
  const { webhooks, receiver } = started;
  const tenant = webhooks.tenant();
  mails = [];
  receiver.behave(() => 410);
  const emails = ["Ada@shop.example", "bob@shop.example"];
  const admin = webhooks.as({
    ...{
      tenantId: tenant.tenantId,
      role: "owner",
      confirmedEmails: ["ada@shop.example", "bob@shop.example"],
    },
  });
  expect((await admin.put(PATH, { emails })).body.data).toEqual({
    ...{ url: null, emails, kinds: null, signingSecretPreview: null },
  });
  await failOne(tenant);
  await until("both mails", () => mails.length === 2);
  expect(mails.map(({ to }) => to).sort()).toEqual(emails.map((email) => [email]));
  for (const { text } of mails) {
    expect(text).toContain("endpoint gone");
    expect(text).toContain("delivery failed");
    for (const other of emails.filter((email) => !text.includes(`To: ${email}`)))
      expect(text).not.toContain(other);
  }
});

test("only confirmed addresses of the tenant's users are mailed", async () => {
  const { webhooks } = started;
  const { tenantId } = webhooks.tenant();
  const admin = webhooks.as({ tenantId, role: "owner", confirmedEmails: ["ada@shop.example"] });
  const emails = ["stranger@other.example", "ada@shop.example", "bob@shop.example"];
  const { status, body } = await admin.put(PATH, { emails });
  expect(status).toBe(422);
  expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(["emails[0]", "emails[2]"]);
  expect((await admin.put(PATH, { emails: ["ada@shop.example"] })).status).toBe(200);
});

test("a name is quoted, cut, and without addresses", () => {
  expect(quoted('A "shop" (erp.example:8443)')).toBe(`"A 'shop'"`);
  expect(quoted("Go to https://evil.example/a now, or ask eve@evil.example")).toBe('"Go to now, or ask"');
  expect(quoted("x".repeat(100))).toBe(`"${"x".repeat(60)}"`);
});

test("PUT replaces the whole and shows the secret the first time, and with rotate", async () => {
  const { webhooks, receiver } = started;
  const tenant = webhooks.tenant();
  expect((await tenant.owner().get(PATH)).status).toBe(404);
  const url = `${receiver.url}/notices`;
  const first = (await tenant.owner().put(PATH, { url })).body.data;
  const second = (await tenant.owner().put(PATH, { url, kinds: ["endpoint_down"] })).body.data;
  expect(second).toEqual({
    ...{ url, emails: [], kinds: ["endpoint_down"] },
    signingSecretPreview: first.signingSecret.slice(0, 8),
  });
  const rotated = (await tenant.owner().put(PATH, { url, rotate: true })).body.data;
  expect(rotated.signingSecret).not.toBe(first.signingSecret);
  expect(rotated.kinds).toBeNull();
  const wrong = await tenant.owner().put(PATH, { url: "http://x.example", emails: ["no"], kinds: ["other"] });
  expect(wrong.status).toBe(422);
  const paths = wrong.body.error.details.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(expect.arrayContaining(["url", "emails[0]", "kinds[0]"]));
  expect((await webhooks.as({ tenantId: tenant.tenantId, role: "editor" }).put(PATH, { url })).status).toBe(
    403,
  );
  expect((await tenant.owner().delete(PATH)).status).toBe(200);
  expect((await tenant.owner().delete(PATH)).status).toBe(404);
});
