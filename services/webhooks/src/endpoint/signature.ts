// Signs requests with the secret of an endpoint (interface §7). Pure.
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/** The text of the secret, and the bytes that its base64 part encodes (interface §7). */
export interface SigningKeys {
  readonly service: KeyObject;
  readonly standard: KeyObject;
}

export function signingKeys(secret: string): SigningKeys {
  return {
    service: createSecretKey(secret, "utf8"),
    standard: createSecretKey(secret.slice(SECRET_PREFIX.length), "base64"),
  };
}

/**
 * Signs `body`, the exact bytes that are sent, with the platform's own header and those of Standard Webhooks; during the overlap
 * after a rotation with both secrets.
 */
export function signatureHeaders(
  secret: string | SigningKeys,
  deliveryId: string,
  at: Date,
  body: Buffer,
  previousSecret?: string | SigningKeys,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const keys = keysOf(secret);
  const standard = standardSignature(keys.standard, deliveryId, timestamp, body);
  const previousKeys = previousSecret === undefined ? undefined : keysOf(previousSecret);
  return {
    "X-service-Signature": serviceSignature(keys.service, body),
    ...(previousKeys && { "X-service-Signature-Previous": serviceSignature(previousKeys.service, body) }),
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": previousKeys
      ? `${standard} ${standardSignature(previousKeys.standard, deliveryId, timestamp, body)}`
      : standard,
  };
}

function keysOf(secret: string | SigningKeys): SigningKeys {
  return typeof secret === "string" ? signingKeys(secret) : secret;
}

function serviceSignature(key: KeyObject, body: Buffer): string {
  return `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
}

function standardSignature(key: KeyObject, deliveryId: string, timestamp: string, body: Buffer): string {
  const mac = createHmac("sha256", key).update(`${deliveryId}.${timestamp}.`).update(body);
  return `v1,${mac.digest("base64")}`;
}
