// Tests that every receiver of the guide must pass, in whatever language. The product signs the deliveries.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventData, thinDataOf } from "@tradepost/event-catalog";
import { until } from "@tradepost/testing";
import { signatureHeaders } from "../../src/endpoint/signature.ts";
import { type ReceiverProgram, runReceiver } from "./receiver-program.ts";

const START_TIMEOUT_MS = 180_000;
const MINUTE_MS = 60_000;
const MEBIBYTE = 1024 * 1024;

/** Declares the tests of a receiver in the surrounding `describe`. `checksBoth`: it requires both signatures. */
export function behavesAsReceiver(code: string, checksBoth: boolean): void {
  const secret = newSecret();
  let program: ReceiverProgram | undefined;
  beforeAll(async () => {
    program = await runReceiver(code, secret);
  }, START_TIMEOUT_MS);
  afterAll(() => program?.stop());

  /** Resolves with the status of the response. */
  const post = async (id: string, body: Buffer, signatures: Record<string, string>): Promise<number> => {
    const headers = { "Content-Type": "application/json", "X-service-Delivery": id, ...signatures };
    const url = program?.url ?? "";
    return (await fetch(url, { method: "POST", body: new Uint8Array(body), headers })).status;
  };
  const handledCount = (id: string) => program?.handledCount(id) ?? 0;
  const expectRefused = async (id: string, body: Buffer, signatures: Record<string, string>) => {
    expect(await post(id, body, signatures)).toBe(401);
    expect(handledCount(id)).toBe(0);
  };
  const expectHandledOnce = async (id: string) => {
    await until("the delivery to be handled", () => handledCount(id) > 0);
    expect(handledCount(id)).toBe(1);
  };

  test("accepts a repeated delivery, and handles it once", async () => {
    const id = randomUUID();
    const attempts = [new Date(Date.now() - MINUTE_MS), new Date()];
    for (const at of attempts) {
      const body = bodyOf(id, at);
      const signatures = signatureHeaders(secret, id, at, body);
      expect(await post(id, body, signatures)).toBe(204);
      expect(await post(id, body, signatures)).toBe(204);
    }
    await expectHandledOnce(id);
  });

  test("accepts a thin delivery, and handles it once", async () => {
    const [id, at] = [randomUUID(), new Date()];
    const { example = {} } = eventData["order.placed"] ?? {};
    const envelope = { id, type: "order.placed", tenant_id: randomUUID(), data: thinDataOf(example) };
    const body = Buffer.from(JSON.stringify({ ...envelope, delivered_at: at.toISOString() }));
    expect(await post(id, body, signatureHeaders(secret, id, at, body))).toBe(204);
    await expectHandledOnce(id);
  });

  test("accepts a delivery during a rotation with either of the two secrets", async () => {
    for (const [current, previous] of [
      [newSecret(), secret],
      [secret, newSecret()],
    ] as const) {
      const id = randomUUID();
      const at = new Date();
      const body = bodyOf(id, at);
      expect(await post(id, body, signatureHeaders(current, id, at, body, previous))).toBe(204);
      await expectHandledOnce(id);
    }
  });

  test("refuses a body with one bit changed", async () => {
    const id = randomUUID();
    const at = new Date();
    const body = bodyOf(id, at);
    const signatures = signatureHeaders(secret, id, at, body);
    const changed = Buffer.from(body);
    changed.writeUInt8((body.at(-3) ?? 0) ^ 1, body.length - 3);
    await expectRefused(id, changed, signatures);
  });

  test("refuses a delivery that is signed with another secret or not signed", async () => {
    const id = randomUUID();
    const at = new Date();
    const body = bodyOf(id, at);
    await expectRefused(id, body, signatureHeaders(newSecret(), id, at, body));
    await expectRefused(id, body, signatureHeaders(newSecret(), id, at, body, newSecret()));
    await expectRefused(id, body, {});
  });

  if (checksBoth) {
    test("refuses a delivery that lacks either signature", async () => {
      const id = randomUUID();
      const at = new Date();
      const body = bodyOf(id, at);
      const { "X-service-Signature": service = "", ...standard } = signatureHeaders(secret, id, at, body);
      await expectRefused(id, body, standard);
      await expectRefused(id, body, { "X-service-Signature": service });
      const withTime = { "webhook-id": id, "webhook-timestamp": standard["webhook-timestamp"] ?? "" };
      await expectRefused(id, body, { "X-service-Signature": service, ...withTime });
    });
  }

  test("refuses a replay with its old time, with a time that is not signed, or with a time in the future", async () => {
    const id = randomUUID();
    const at = new Date(Date.now() - 6 * MINUTE_MS);
    const body = bodyOf(id, at);
    const signatures = signatureHeaders(secret, id, at, body);
    await expectRefused(id, body, signatures);
    await expectRefused(id, body, {
      ...signatures,
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
    });
    const early = new Date(Date.now() + 6 * MINUTE_MS);
    await expectRefused(id, body, signatureHeaders(secret, id, early, body));
  });

  test.each(["", "soon", "1e9", "-1", "9".repeat(400)])("refuses the signed time %p", async (time) => {
    const id = randomUUID();
    const body = bodyOf(id, new Date());
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const mac = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
    const signatures = signatureHeaders(secret, id, new Date(), body);
    await expectRefused(id, body, {
      ...signatures,
      "webhook-timestamp": time,
      "webhook-signature": `v1,${mac}`,
    });
  });

  test("handles no delivery of more than 4 MiB, and goes on", async () => {
    const large = randomUUID();
    const body = Buffer.concat([bodyOf(large, new Date()), Buffer.alloc(5 * MEBIBYTE, " ")]);
    // The connection may be closed before the body has been sent.
    const status = await post(large, body, signatureHeaders(secret, large, new Date(), body)).catch(
      () => 400,
    );
    expect(status).toBeGreaterThanOrEqual(400);
    const next = randomUUID();
    const small = bodyOf(next, new Date());
    expect(await post(next, small, signatureHeaders(secret, next, new Date(), small))).toBe(204);
    await expectHandledOnce(next);
    expect(handledCount(large)).toBe(0);
  });

  test("does not acknowledge a delivery that it could not handle", async () => {
    const id = randomUUID();
    const body = Buffer.from(`{"id":"${id}"`);
    const status = await post(id, body, signatureHeaders(secret, id, new Date(), body));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(handledCount(id)).toBe(0);
  });
}

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** A body with characters of more than one byte. */
function bodyOf(id: string, at: Date): Buffer {
  const data = { ...eventData["redirect.added"]?.example, note: "grüß ✓" };
  const envelope = { id, type: "redirect.added", tenant_id: randomUUID(), data };
  return Buffer.from(JSON.stringify({ ...envelope, delivered_at: at.toISOString() }));
}
