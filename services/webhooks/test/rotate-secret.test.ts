// Rotates a signing secret: the response, and the signatures during the overlap and after it.
import { randomUUID } from "node:crypto";
import type { Received } from "@tradepost/testing";
import { Webhook } from "standardwebhooks";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf, isSigned } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";

let subscription: { id: string; signingSecret: string };

const { webhooks, receiver, tenant } = useWebhooks({});

beforeEach(async () => {
  subscription = await tenant.subscribe(`/${randomUUID()}`);
});

const requestRotation = (body?: object) => tenant.act(subscription.id, "rotate-secret", body);
/** Returns the new secret. */
const rotate = async (body?: object): Promise<string> =>
  (await requestRotation(body)).body.data.signingSecret;
/** For how many more hours the previous secret signs. */
const OVERLAP = `select round(extract(epoch from previous_secret_until - now()) / 3600)::int as hours
  from subscriptions where id = $1`;
const overlapHours = async () => (await webhooks.query(OVERLAP, subscription.id))[0].hours;

/** The next delivery that the receiver gets. */
const deliver = async (): Promise<Received> => {
  const note = randomUUID();
  await tenant.emit({ note });
  return await receiver.waitFor("the delivery", ({ body }) => body.includes(note));
};

const expectSignedBy = (received: Received, current: string, previous: string) => {
  expect(isSigned(received, current)).toBe(true);
  expect(isSigned(received, previous, "x-service-signature-previous")).toBe(true);
};
const isAcceptedWith = ({ headers, body }: Received, secret: string) => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

test("shows the new secret in its response only, with the fields of GET", async () => {
  const { signingSecretPreview: _, ...before } = await tenant.subscription(subscription.id);
  const { status, body, headers } = await requestRotation();
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  const { signingSecret, previousSecretUntil, ...shown } = body.data;
  expect(before.previousSecretUntil).toBeNull();
  expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(signingSecret).not.toBe(subscription.signingSecret);
  expect(previousSecretUntil).toEqual(expect.any(String));
  expect({ ...shown, previousSecretUntil: null }).toEqual({ ...before, version: 2 });
  const read = await tenant.owner().get(`${PATH}/${subscription.id}`);
  const signingSecretPreview = signingSecret.slice(0, 8);
  expect(read.body.data).toEqual({ ...shown, signingSecretPreview, previousSecretUntil });
  const listed = await tenant.owner().get(PATH);
  expect(listed.body.data).toEqual([read.body.data]);
  const text = "select outbox::text as row from outbox where tenant_id = $1";
  const rows = await webhooks.query(text, tenant.tenantId);
  const everything = [read.text, listed.text, ...rows.map(({ row }) => row)].join("\n");
  expect(everything).toContain(subscription.id);
  for (const secret of [signingSecret, subscription.signingSecret]) {
    expect(everything).not.toContain(secret.slice("whsec_".length));
  }
});

test("signs with both secrets during the overlap, each in its own header, and either verifies", async () => {
  const signingSecret = await rotate({});
  expect(await overlapHours()).toBe(24);
  const received = await deliver();
  expectSignedBy(received, signingSecret, subscription.signingSecret);
  expect(isAcceptedWith(received, signingSecret)).toBe(true);
  expect(isAcceptedWith(received, subscription.signingSecret)).toBe(true);
});

test.each([
  ["after the overlap", 1],
  ["at once if there is no overlap", 0],
])("signs with the new secret only, %s", async (_, hours) => {
  const signingSecret = await rotate({ overlapHours: hours });
  const isOver = "previous_secret_until = now() - interval '1 second'";
  if (hours > 0) await webhooks.set("subscriptions", subscription.id, isOver);
  const received = await deliver();
  expect(received.headers).not.toHaveProperty("x-service-signature-previous");
  expect(isSigned(received, signingSecret)).toBe(true);
  expect(isAcceptedWith(received, signingSecret)).toBe(true);
  expect(isAcceptedWith(received, subscription.signingSecret)).toBe(false);
  expect((await tenant.subscription(subscription.id)).previousSecretUntil).toBeNull();
  expect((await requestRotation()).status).toBe(200);
});

test("is refused while the previous secret still signs, and changes nothing", async () => {
  await rotate({ overlapHours: 1 });
  for (const body of [{}, { overlapHours: 0 }, { force: false }]) {
    const { status, body: refusal } = await requestRotation(body);
    expect([status, refusal.error.code]).toEqual([409, "rotation_in_progress"]);
  }
  expect(await overlapHours()).toBe(1);
  expect((await tenant.subscription(subscription.id)).version).toBe(2);
  expect(await webhooks.auditEntries(tenant.tenantId, subscription.id)).toHaveLength(2);
});

test("with force within the overlap signs with the two newest secrets, and the audit log says so", async () => {
  const second = await rotate();
  const third = await rotate({ overlapHours: 168, force: true });
  expect(await overlapHours()).toBe(168);
  const received = await deliver();
  expectSignedBy(received, third, second);
  const accepted = [third, second, subscription.signingSecret].map((one) => isAcceptedWith(received, one));
  expect(accepted).toEqual([true, true, false]);
  const entryWith = (changes: object) => ({
    action: "webhook_subscription.secret_rotated",
    actor: expect.objectContaining({ type: "user" }),
    data: { target: { type: "webhook_subscription", id: subscription.id }, changes },
  });
  expect((await webhooks.auditEntries(tenant.tenantId, subscription.id)).slice(-2)).toEqual([
    entryWith({ overlapHours: 24 }),
    entryWith({ overlapHours: 168, force: true }),
  ]);
});

test("twice at the same time rotates once", async () => {
  const responses = await Promise.all([requestRotation(), requestRotation()]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  const signingSecret = responses.find(({ status }) => status === 200)?.body.data.signingSecret;
  const received = await deliver();
  expectSignedBy(received, signingSecret, subscription.signingSecret);
});

test.each([
  ["below 0", { overlapHours: -1 }, "overlapHours"],
  ["above a week", { overlapHours: 169 }, "overlapHours"],
  ["of half an hour", { overlapHours: 1.5 }, "overlapHours"],
  ["as text", { overlapHours: "24" }, "overlapHours"],
  ["of another name", { overlap: 24 }, "overlap"],
  ["with force as text", { force: "true" }, "force"],
])("refuses an overlap %s and rotates nothing", async (_, body, path) => {
  const refusal = await requestRotation(body);
  expect([refusal.body.error.code, ...faultsOf(refusal)]).toEqual(["validation_error", 422, path]);
  expect(isSigned(await deliver(), subscription.signingSecret)).toBe(true);
});
