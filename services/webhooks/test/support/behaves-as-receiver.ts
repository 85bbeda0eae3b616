// Tests that every receiver of the guide must pass, in whatever language. The product signs the deliveries.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
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

  const signed = (at = new Date(), id: string = randomUUID(), body = bodyOf(id, at)) => ({
    id,
    body,
    signatures: signatureHeaders(secret, id, at, body),
  });
  type Delivery = ReturnType<typeof signed>;
  /** Resolves with the status of the response. */
  const post = async ({ id, body, signatures }: Delivery): Promise<number> => {
    const headers = { "Content-Type": "application/json", "X-service-Delivery": id, ...signatures };
    const url = program?.url ?? "";
    return (await fetch(url, { method: "POST", body: new Uint8Array(body), headers })).status;
  };
  const handledCount = (id: string) => program?.handledCount(id) ?? 0;
  const expectRefused = async (delivery: Delivery, changes: Partial<Delivery> = {}) => {
    expect(await post({ ...delivery, ...changes })).toBe(401);
    expect(handledCount(delivery.id)).toBe(0);
  };
  const expectHandledOnce = async (id: string) => {
    await until("the delivery to be handled", () => handledCount(id) > 0);
    expect(handledCount(id)).toBe(1);
  };

  test("accepts a repeated delivery, and handles it once", async () => {
    const id = randomUUID();
    for (const at of [new Date(Date.now() - MINUTE_MS), new Date()]) {
      const delivery = signed(at, id);
      expect([await post(delivery), await post(delivery)]).toEqual([204, 204]);
    }
    await expectHandledOnce(id);
  });

  test("accepts a thin delivery, and handles it once", async () => {
    const [id, at] = [randomUUID(), new Date()];
    const { example = {} } = eventData["order.placed"] ?? {};
    const envelope = { id, type: "order.placed", tenant_id: randomUUID(), data: thinDataOf(example) };
    const body = Buffer.from(JSON.stringify({ ...envelope, delivered_at: at.toISOString() }));
    expect(await post(signed(at, id, body))).toBe(204);
    await expectHandledOnce(id);
  });

  test("accepts a delivery during a rotation with either of the two secrets", async () => {
    for (const [current, previous] of [
      [newSecret(), secret],
      [secret, newSecret()],
    ] as const) {
      const { id, body } = signed();
      const signatures = signatureHeaders(current, id, new Date(), body, previous);
      expect(await post({ id, body, signatures })).toBe(204);
      await expectHandledOnce(id);
    }
  });

  test("refuses a body with one bit changed", async () => {
    const delivery = signed();
    const body = Buffer.from(delivery.body);
    body.writeUInt8((body.at(-3) ?? 0) ^ 1, body.length - 3);
    await expectRefused(delivery, { body });
  });

  test("refuses a delivery that is signed with another secret or not signed", async () => {
    const delivery = signed();
    const signedWith = (...[current = "", previous]: string[]) =>
      signatureHeaders(current, delivery.id, new Date(), delivery.body, previous);
    await expectRefused(delivery, { signatures: signedWith(newSecret()) });
    await expectRefused(delivery, { signatures: signedWith(newSecret(), newSecret()) });
    await expectRefused(delivery, { signatures: {} });
  });

  if (checksBoth) {
    test("refuses a delivery that lacks either signature", async () => {
      const delivery = signed();
      const { "X-service-Signature": service = "", ...standard } = delivery.signatures;
      const { "webhook-signature": _, ...unsigned } = standard;
      const onlyService = { "X-service-Signature": service };
      for (const signatures of [standard, onlyService, { ...onlyService, ...unsigned }])
        await expectRefused(delivery, { signatures });
    });
  }

  test("refuses a replay with its old time, with a time that is not signed, or with a time in the future", async () => {
    const old = signed(new Date(Date.now() - 6 * MINUTE_MS));
    await expectRefused(old);
    const now = String(Math.floor(Date.now() / 1000));
    await expectRefused(old, { signatures: { ...old.signatures, "webhook-timestamp": now } });
    await expectRefused(signed(new Date(Date.now() + 6 * MINUTE_MS), old.id, old.body));
  });

  test.each(["", "soon", "1e9", "-1", "9".repeat(400)])("refuses the signed time %p", async (time) => {
    const delivery = signed();
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const mac = createHmac("sha256", key)
      .update(`${delivery.id}.${time}.`)
      .update(delivery.body)
      .digest("base64");
    const timed = { "webhook-timestamp": time, "webhook-signature": `v1,${mac}` };
    await expectRefused(delivery, { signatures: { ...delivery.signatures, ...timed } });
  });

  test("handles no delivery of more than 4 MiB, and goes on", async () => {
    const [large, at] = [randomUUID(), new Date()];
    const body = Buffer.concat([bodyOf(large, at), Buffer.alloc(5 * MEBIBYTE, " ")]);
    // The connection may be closed before the body has been sent.
    const status = await post(signed(at, large, body)).catch(() => 400);
    expect(status).toBeGreaterThanOrEqual(400);
    const next = signed();
    expect(await post(next)).toBe(204);
    await expectHandledOnce(next.id);
    expect(handledCount(large)).toBe(0);
  });

  test("does not acknowledge a delivery that it could not handle", async () => {
    const id = randomUUID();
    const status = await post(signed(new Date(), id, Buffer.from(`{"id":"${id}"`)));
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
