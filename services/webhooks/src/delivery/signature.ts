// Signs a delivery so that its receiver can verify the sender: with the platform's own header and with the headers of Standard
// Webhooks. Pure.
import { createHmac, createSecretKey } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/**
 * `secret` is the whole signing secret, `body` the exact bytes that are sent, `previousSecret` the one before a rotation,
 * during its overlap. The two kinds of header use different keys (interface §7): `X-service-Signature` the secret as it is
 * written, `webhook-signature` the bytes that its base64 part encodes. With a previous secret there is
 * `X-service-Signature-Previous` too, and `webhook-signature` has both signatures, the new one first: a receiver that knows
 * either secret accepts the delivery.
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
  // A Buffer as the key takes five times as long.
  const key = createSecretKey(secret.slice(SECRET_PREFIX.length), "base64");
  const mac = createHmac("sha256", key).update(`${deliveryId}.${timestamp}.`).update(body);
  return `v1,${mac.digest("base64")}`;
}
