// Signs a delivery so that its receiver can tell who sent it: the specification's header, and those of Standard
// Webhooks beside it. Pure.
import { createHmac, createSecretKey } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/**
 * In: the subscription's whole secret, the delivery's id, the attempt's time, the exact bytes that are sent, and, during
 * a rotation's overlap, the secret from before. Out: the headers. The keys differ, as contract §7 says:
 * `X-service-Signature` is keyed with the secret as it is written, `webhook-signature` with the bytes that its base64
 * stands for. With a previous secret there is `X-service-Signature-Previous` too, and `webhook-signature` holds both,
 * the new one first: a receiver that knows either secret accepts the delivery.
 */
export function signatureHeaders(
  secret: string,
  deliveryId: string,
  at: Date,
  body: Buffer,
  previousSecret?: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  return {
    "X-service-Signature": serviceSignature(secret, body),
    ...(previousSecret !== undefined && {
      "X-service-Signature-Previous": serviceSignature(previousSecret, body),
    }),
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets
      .map((each) => standardSignature(each, deliveryId, timestamp, body))
      .join(" "),
  };
}

function serviceSignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

function standardSignature(secret: string, deliveryId: string, timestamp: string, body: Buffer): string {
  // Bytes as a key cost five times as much.
  const key = createSecretKey(secret.slice(SECRET_PREFIX.length), "base64");
  const mac = createHmac("sha256", key).update(`${deliveryId}.${timestamp}.`).update(body);
  return `v1,${mac.digest("base64")}`;
}
