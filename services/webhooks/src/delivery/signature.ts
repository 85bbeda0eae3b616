// Signs a delivery so that its receiver can tell who sent it: the specification's header, and those of Standard
// Webhooks beside it. Pure.
import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/**
 * In: the subscription's whole secret, the delivery's id, the attempt's time and the exact bytes that are sent.
 * Out: the headers. The keys differ, as contract §7 says: `X-service-Signature` is keyed with the secret as it is
 * written, `webhook-signature` with the bytes that its base64 stands for.
 */
export function signatureHeaders(
  secret: string,
  deliveryId: string,
  at: Date,
  body: Buffer,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const standardKey = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const standard = createHmac("sha256", standardKey)
    .update(`${deliveryId}.${timestamp}.`)
    .update(body)
    .digest("base64");
  return {
    "X-service-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standard}`,
  };
}
