// The identity headers that the gateway sends to a service, with a signature that binds them to the request (interface §3). If a
// service trusted unsigned headers, it would depend on every proxy in front of it to remove forged ones.
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";
import { type Client, type Principal, quotas, type Role, roles } from "./principal.ts";
import type { ReportRefused } from "./refused-signatures.ts";
import type { Identify } from "./request-context.ts";

/** Older signatures, and signatures further in the future, are refused. */
const SIGNATURE_AGE_SECONDS_MAX = 30;

const SIGNED_HEADERS = [
  "x-tenant-id",
  "x-role",
  "x-actor-type",
  "x-actor-id",
  "x-actor-name",
  "x-scopes",
  "x-modules",
  "x-request-id",
  "traceparent",
] as const;

// The last word of x-modules, which the signature covers. A gateway of the previous release does not send it.
const COVERS = /(?:^| )covers:(none|streamed|[0-9a-f]{64}):(none|[0-9a-f]{64}):(none|[0-9a-f]{64})$/;

// The prefix of words that name a quota which the tenant has used up.
const PASSED = "passed:";
// The prefix of words that are a confirmed e-mail address, percent-encoded.
const EMAIL = "email:";

/** In a 401: why a service refuses the signature. */
export const REFUSED_HEADER = "x-signature-refused";

// The caller's address, or `-`, and the percent-encoded user agent.
const CLIENT_HEADER = "x-client";

interface SignedRequest {
  readonly method: string;
  /** With the query, as sent. */
  readonly path: string;
  readonly requestId: string;
  readonly traceparent: string;
  readonly idempotencyKey: string | undefined;
  /** `streamed` for an upload, whose bytes are not signed. */
  readonly body: Buffer | "streamed" | undefined;
}

/**
 * Returns the identity headers and their signature (interface §3). Only one service knows `secret`. Names are percent-encoded,
 * because headers are ASCII.
 */
export function principalHeaders(
  principal: Principal,
  request: SignedRequest,
  secret: string,
  nowSeconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const client = clientText(principal.client);
  const headers: Record<(typeof SIGNED_HEADERS)[number], string> = {
    "x-tenant-id": principal.tenantId,
    "x-role": principal.role,
    "x-actor-type": principal.actor.type,
    "x-actor-id": principal.actor.id,
    "x-actor-name": encodeURIComponent(principal.actor.name.toWellFormed()),
    "x-scopes": principal.scopes.join(" "),
    "x-modules": [
      ...principal.modules,
      ...(principal.passedQuotas ?? []).map((quota) => `${PASSED}${quota}`),
      ...(principal.confirmedEmails ?? []).map((email) => `${EMAIL}${encodeURIComponent(email)}`),
      coversOf(request, client),
    ].join(" "),
    "x-request-id": request.requestId,
    traceparent: request.traceparent,
  };
  const signature = sign(secret, nowSeconds, request.method, request.path, headers);
  const sent = { ...headers, "x-gateway-signature": `t=${nowSeconds},v1=${signature}` };
  return client === undefined ? sent : { ...sent, [CLIENT_HEADER]: client };
}

/** Accepts requests signed by the gateway with one of `secrets`, passes others to `reportRefused` and throws 401 (interface §3). */
export function identifyBySignature(
  secrets: readonly string[],
  reportRefused: ReportRefused = () => undefined,
): Identify {
  return (context) => {
    const { req } = context;
    const refuse = (...why: Parameters<ReportRefused>) => {
      reportRefused(...why);
      // The gateway cannot know whose clock is off.
      const headers = { [REFUSED_HEADER]: why[0] };
      throw new ApiError("unauthorized", "Requests must come through the gateway.", { headers });
    };
    const header = req.headers["x-gateway-signature"];
    const [, time = "", signature = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header)) ?? [];
    const isSignedWith = (secret: string) => {
      const expected = sign(secret, Number(time), req.method ?? "", req.url ?? "", req.headers);
      return timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
    };
    const isGenuine = signature !== "" && secrets.some(isSignedWith);
    const secondsOld = Date.now() / 1000 - Number(time);
    if (!isGenuine) return refuse(header ? "mismatch" : "missing", req);
    if (Math.abs(secondsOld) > SIGNATURE_AGE_SECONDS_MAX)
      return refuse(secondsOld > 0 ? "expired" : "clock", req, secondsOld);
    const [, body, key, client] = COVERS.exec(String(req.headers["x-modules"])) ?? [];
    const isCovered = (name: string, digest: string | undefined) =>
      digest === undefined || digest === digestOf(req.headers[name]);
    if (!isCovered("idempotency-key", key) || !isCovered(CLIENT_HEADER, client))
      return refuse("mismatch", req);
    if (body !== undefined && body !== "streamed") {
      context.checkBody = (bytes) => {
        if (digestOf(bytes) !== body) refuse("mismatch", req);
      };
    }
    return principalOf(req, client === undefined ? undefined : req.headers[CLIENT_HEADER]);
  };
}

function coversOf({ body, idempotencyKey }: SignedRequest, client: string | undefined): string {
  const digests = [body === "streamed" ? body : digestOf(body), digestOf(idempotencyKey), digestOf(client)];
  return `covers:${digests.join(":")}`;
}

function clientText(client: Client | undefined): string | undefined {
  if (client === undefined) return undefined;
  return `${client.ip ?? "-"} ${encodeURIComponent(client.userAgent?.toWellFormed() ?? "")}`.trimEnd();
}

function clientOf(text: string): Client {
  const [ip = "", userAgent = ""] = text.split(" ");
  return { ip: ip === "-" ? null : ip || null, userAgent: decodeURIComponent(userAgent) || null };
}

function digestOf(value: Buffer | string | string[] | undefined): string {
  return value === undefined || value.length === 0
    ? "none"
    : hash("sha256", Array.isArray(value) ? value.join(", ") : value, "hex");
}

function sign(
  secret: string,
  timeSeconds: number,
  method: string,
  path: string,
  headers: Record<string, string | string[] | undefined>,
): string {
  // Values cannot contain a newline, so the parts are unambiguous.
  const parts = [
    String(timeSeconds),
    method,
    path,
    ...SIGNED_HEADERS.map((name) => String(headers[name] ?? "")),
  ];
  return createHmac("sha256", secret).update(parts.join("\n")).digest("hex");
}

function principalOf(req: IncomingMessage, client: string | string[] | undefined): Principal {
  const header = (name: (typeof SIGNED_HEADERS)[number]) => String(req.headers[name] ?? "");
  const words = (name: (typeof SIGNED_HEADERS)[number]) => header(name).split(" ").filter(Boolean);
  const passedQuotas = quotas.filter((quota) => words("x-modules").includes(`${PASSED}${quota}`));
  const confirmedEmails = words("x-modules")
    .filter((word) => word.startsWith(EMAIL))
    .map((word) => decodeURIComponent(word.slice(EMAIL.length)));
  return {
    tenantId: header("x-tenant-id"),
    role: roles.find((role): role is Role => role === header("x-role")) ?? "viewer",
    actor: {
      type: header("x-actor-type") === "user" ? "user" : "api_key",
      id: header("x-actor-id"),
      name: decodeURIComponent(header("x-actor-name")),
    },
    scopes: words("x-scopes"),
    modules: words("x-modules").filter(
      (word) => !["covers:", PASSED, EMAIL].some((prefix) => word.startsWith(prefix)),
    ),
    ...(passedQuotas.length > 0 && { passedQuotas }),
    ...(confirmedEmails.length > 0 && { confirmedEmails }),
    ...(client !== undefined && { client: clientOf(String(client)) }),
  };
}
