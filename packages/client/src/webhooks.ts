// The entry @tradepost/client/webhooks, which verifies webhooks. It needs only Web Crypto, so it runs in Node, in browser workers
// and on edge platforms.
import type { operations } from "./generated/api.ts";

/** The body of a webhook. `switch (event.type)` narrows `event.data`. A newer platform may send other types. */
export type WebhookEvent = {
  [Id in keyof operations]: Id extends `receive_${string}` ? BodyOf<operations[Id]> : never;
}[keyof operations];

export type WebhookEventType = WebhookEvent["type"];

type BodyOf<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;

/** Headers in the forms that servers use: `Headers`, Node's `req.headers`, or an object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** The largest difference between `webhook-timestamp` and the clock, in either direction; 300 by default. */
  readonly toleranceSeconds?: number;
  /** The current time, in ms since the epoch; by default the clock's. */
  readonly now?: number;
  /** Parses the body; `JSON.parse` by default, which rounds numbers of more than 15 digits. */
  readonly parseJson?: (text: string) => unknown;
}

/** Respond with 401; an authentic request is then sent again. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: "headers" | "timestamp" | "signature" | "body";

  constructor(reason: WebhookVerificationError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

const TOLERANCE_SECONDS = 300;
/** Limits the work for a hostile request. The platform sends at most two. */
const SIGNATURES_MAX = 10;
const SECRET_PREFIX = "whsec_";

/**
 * Returns the event of an authentic webhook (interface §7). Rejects with a `WebhookVerificationError` for any other request, and
 * with a TypeError for a malformed secret or body.
 *
 * `rawBody` is the body as it arrived, before any parser: bytes or text. `secret` is the subscription's, or a list of secrets,
 * any of which may have signed.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = (typeof secret === "string" ? [secret] : secret).map(keyBytes);
  if (typeof rawBody !== "string" && !(rawBody instanceof Uint8Array))
    throw new TypeError("rawBody: must be the text or the bytes of the body, not a parsed object");
  const body = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody;

  const id = required(headers, "webhook-id");
  const timestamp = required(headers, "webhook-timestamp");
  const signatures = required(headers, "webhook-signature")
    .split(" ", SIGNATURES_MAX)
    .flatMap(signatureBytes);

  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSignedByAny(secrets, signatures, signed)))
    throw new WebhookVerificationError("signature", "no signature of the webhook is valid");
  // Only a signed timestamp can be trusted.
  refuseOld(timestamp, options);
  return parse(body, options);
}

/** Reports whether any secret made any signature. `crypto.subtle.verify` compares in constant time. */
async function isSignedByAny(
  secrets: readonly Uint8Array<ArrayBuffer>[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
      "verify",
    ]);
    for (const signature of signatures) {
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
    }
  }
  return false;
}

/** Returns what the base64 after `whsec_` encodes. Errors never show the secret. */
function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes =
    typeof secret === "string" && secret.startsWith(SECRET_PREFIX)
      ? decodeBase64(secret.slice(SECRET_PREFIX.length))
      : undefined;
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError("secret: must be a signing secret, whsec_ and base64");
  return bytes;
}

/** Other versions than `v1` are ignored, as Standard Webhooks requires. */
function signatureBytes(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = text.startsWith("v1,") ? decodeBase64(text.slice("v1,".length)) : undefined;
  return bytes === undefined ? [] : [bytes];
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function required(headers: WebhookHeaders, name: string): string {
  const value = single(headers, name);
  if (value === undefined || value === "")
    throw new WebhookVerificationError("headers", `the header ${name} is missing, or given more than once`);
  return value;
}

function single(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === "function") return (headers as Headers).get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([candidate]) => candidate.toLowerCase() === name)
    .flatMap(([, value]) => value as string | readonly string[] | undefined);
  return values.length === 1 ? values[0] : undefined;
}

function refuseOld(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions,
): void {
  const isNear =
    /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!isNear)
    throw new WebhookVerificationError(
      "timestamp",
      `the webhook's time is more than ${toleranceSeconds} s away from this clock`,
    );
}

function parse(body: Uint8Array, { parseJson = JSON.parse }: VerifyOptions): WebhookEvent {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("body", "the webhook's body is not JSON");
  }
}

function concatenate(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}
