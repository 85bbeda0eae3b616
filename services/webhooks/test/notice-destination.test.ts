// Where notices are sent: a signed POST, and mail (interface §17).
import type { Server } from "node:net";
import { listenLocally, until } from "@tradepost/testing";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { quoted } from "../src/notices/mail-notices.ts";
import { openNotices } from "./support/open-notices.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const PATH = "/v1/notices/destination";

const mails: { to: string[]; text: string }[] = [];
const smtp = new SMTPServer({
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
const { port, stop } = await listenLocally(smtp.server as Server);
const { webhooks, receiver, tenant } = useWebhooks(
  {
    ...{ WEBHOOKS_RETRY_SCHEDULE: "50ms,50ms", WEBHOOKS_TIMEOUT_MS: "60000" },
    ...{ NOTICES_SMTP_URL: `smtp://127.0.0.1:${port}`, NOTICES_MAIL_FROM: "notices@shop.example" },
  },
  { mailAfterMs: 1_000 },
);
afterAll(stop);

/** Makes a delivery fail for good, which also makes the endpoint gone. */
const failOne = async () => (await tenant.deliver("/fails", "failed")).id;

const put = (body: object, of = tenant.owner()) => of.put(PATH, body);
const untilNoMessage = () =>
  webhooks.untilNone("select from notice_messages where tenant_id = $1", tenant.tenantId);

test("a notice that opens or closes is posted once, signed like a webhook", async () => {
  receiver.behave(({ path }) => (path === "/notices" ? 200 : 410));
  const { status, body } = await put({ url: `${receiver.url}/notices`, kinds: ["endpoint_gone"] });
  const { signingSecret } = body.data;
  expect([status, signingSecret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
  const entries = await webhooks.auditEntries(tenant.tenantId, tenant.tenantId);
  expect(entries.map(({ action }) => action)).toEqual(["notice_destination.updated"]);
  expect(JSON.stringify(entries)).not.toContain("whsec_");
  const id = await failOne();
  const opened = await receiver.waitFor("the notice", ({ path }) => path === "/notices");
  expect(opened.headers["x-service-event"]).toBe("notice.opened");
  const { data } = new Webhook(signingSecret).verify(
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
  expect(receiver.at("/notices")).toHaveLength(2);
});

test("a destination that fails is tried again, and makes no notice", async () => {
  receiver.behave(() => 500);
  await put({ url: `${receiver.url}/broken`, kinds: ["delivery_failed"] });
  await failOne();
  await until("three attempts", () => receiver.at("/broken").length === 3);
  await untilNoMessage();
  expect(await tenant.notices()).toMatchObject([{ kind: "delivery_failed" }]);
  const attempts = receiver.at("/broken").map(({ headers }) => headers["x-service-attempt"]);
  expect(attempts).toEqual(["1", "2", "3"]);
});

test("each recipient gets one mail that says what opened together", async () => {
  const emails = ["Ada@shop.example", "bob@shop.example"];
  const confirmedEmails = ["ada@shop.example", "bob@shop.example"];
  const { body } = await put({ emails }, webhooks.as({ tenantId: tenant.tenantId, confirmedEmails }));
  expect(body.data).toEqual({ url: null, emails, kinds: null, signingSecretPreview: null });
  const near = ["mediaBytes", "eventBytes"].map((quota) => ({ quota, used: 9, max: 10 }));
  expect((await tenant.owner().put("/internal/near-quotas", { near })).status).toBe(200);
  await until("both mails", () => mails.length === 2);
  expect(mails.map(({ to }) => to).sort()).toEqual(emails.map((email) => [email]));
  for (const { text } of mails) {
    expect(text.match(/^".+": quota near, since .+Z\.\r$/gm)).toHaveLength(2);
    for (const other of emails.filter((email) => !text.includes(`To: ${email}`)))
      expect(text).not.toContain(other);
  }
});

test("only confirmed addresses of the tenant's users are mailed", async () => {
  const admin = webhooks.as({ tenantId: tenant.tenantId, confirmedEmails: ["ada@shop.example"] });
  const emails = ["stranger@other.example", "ada@shop.example", "bob@shop.example"];
  expect(faultsOf(await put({ emails }, admin))).toEqual([422, "emails[0]", "emails[2]"]);
  expect((await put({ emails: ["ada@shop.example"] }, admin)).status).toBe(200);
});

test("a name is quoted, cut, and without addresses", () => {
  expect(quoted('A "shop" (erp.example:8443)')).toBe(`"A 'shop'"`);
  expect(quoted("Go to https://evil.example/a now, or ask eve@evil.example")).toBe('"Go to now, or ask"');
  expect(quoted("x".repeat(100))).toBe(`"${"x".repeat(60)}"`);
});

test("a destination that hangs leaves room for the others, however many notices it has", async () => {
  const respond = receiver.hold();
  await put({ url: `${receiver.url}/hangs` });
  await openNotices(webhooks, [tenant], 30);
  await receiver.waitFor("the first notice", ({ path }) => path === "/hangs");
  receiver.behave(({ path }) => (path === "/hangs" ? "hang" : 200));
  const other = webhooks.tenant();
  await put({ url: `${receiver.url}/fine` }, other.owner());
  await openNotices(webhooks, [other], 30);
  await until("the other's", () => receiver.at("/fine").length === 30);
  expect(receiver.at("/hangs")).toHaveLength(1);
  receiver.behave(() => 200);
  respond(200);
  await untilNoMessage();
});

test("a notice that cannot be signed is given up after its attempts", async () => {
  await put({ url: `${receiver.url}/unsigned` });
  const unseal = "update notice_destinations set secret_sealed = '\\x00' where tenant_id = $1";
  await webhooks.query(unseal, tenant.tenantId);
  await openNotices(webhooks, [tenant], 1);
  await untilNoMessage();
  expect(receiver.received).toEqual([]);
});

test("PUT replaces the whole and shows the secret the first time, and with rotate", async () => {
  expect((await tenant.owner().get(PATH)).status).toBe(404);
  const url = `${receiver.url}/notices`;
  const first = (await put({ url })).body.data;
  const second = (await put({ url, kinds: ["endpoint_down"] })).body.data;
  expect(second).toEqual({
    ...{ url, emails: [], kinds: ["endpoint_down"] },
    signingSecretPreview: first.signingSecret.slice(0, 8),
  });
  const rotated = (await put({ url, rotate: true })).body.data;
  expect(rotated.signingSecret).not.toBe(first.signingSecret);
  expect(rotated.kinds).toBeNull();
  const wrong = await put({ url: "http://x.example", emails: ["no"], kinds: ["other"] });
  expect(faultsOf(wrong)).toEqual(expect.arrayContaining([422, "url", "emails[0]", "kinds[0]"]));
  expect((await tenant.owner().delete(PATH)).status).toBe(200);
  expect((await tenant.owner().delete(PATH)).status).toBe(404);
});

test("of two first PUTs at once one makes the secret", async () => {
  for (let round = 0; round < 10; round += 1) {
    const tenant = webhooks.tenant();
    const url = `${receiver.url}/notices`;
    const puts = await Promise.all([1, 2, 3].map(() => put({ url }, tenant.owner())));
    const secrets = puts.map(({ body }) => body.data.signingSecret).filter(Boolean);
    expect(secrets).toHaveLength(1);
    expect((await tenant.owner().get(PATH)).body.data.signingSecretPreview).toBe(secrets[0].slice(0, 8));
  }
});
