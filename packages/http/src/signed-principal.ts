// The identity headers that the gateway sends to a service, with a signature that binds them to the request (interface §3). If a
// service trusted unsigned headers, it would depend on every proxy in front of it to remove forged ones.
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";
import { type Client, type Principal, type Role, roles } from "./principal.ts";
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
  "x-passed-quotas",
  // Percent-encoded.
  "x-confirmed-emails",
  // The caller's address, or `-`, and the percent-encoded user agent.
  "x-client",
  // In hex, `none` without a body, or `streamed` for an upload.
  "x-body-sha256",
  "idempotency-key",
  "x-request-id",
  "traceparent",
] as const;
type SignedHeader = (typeof SIGNED_HEADERS)[number];

/** In a 401: why a service refuses the signature. */
export const REFUSED_HEADER = "x-signature-refused";

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

/** Returns the identity headers and their signature (interface §3). Only one service knows `secret`. */
export function principalHeaders(
  principal: Principal,
  request: SignedRequest,
  secret: string,
  nowSeconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const { actor, client, passedQuotas = [], confirmedEmails = [] } = principal;
  const headers: Record<string, string> = {
    "x-tenant-id": principal.tenantId,
    "x-role": principal.role,
    "x-actor-type": actor.type,
    "x-actor-id": actor.id,
    "x-actor-name": encodeURIComponent(actor.name.toWellFormed()),
    "x-scopes": principal.scopes.join(" "),
    "x-modules": principal.modules.join(" "),
    ...(passedQuotas.length > 0 && { "x-passed-quotas": passedQuotas.join(" ") }),
    ...(confirmedEmails.length > 0 && {
      "x-confirmed-emails": confirmedEmails.map(encodeURIComponent).join(" "),
    }),
    ...(client && { "x-client": clientText(client) }),
    "x-body-sha256": request.body === "streamed" ? "streamed" : sha256Of(request.body),
    "x-request-id": request.requestId,
    traceparent: request.traceparent,
  } satisfies Partial<Record<SignedHeader, string>>;
  const signed = { ...headers, "idempotency-key": request.idempotencyKey };
  const signature = sign(secret, nowSeconds, request.method, request.path, signed);
  return { ...headers, "x-gateway-signature": `t=${nowSeconds},v1=${signature}` };
}

/** Accepts requests signed with one of `secrets`, passes others to `reportRefused` and throws 401 (interface §3). */
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
    const signedBody = req.headers["x-body-sha256"];
    if (signedBody !== "streamed") {
      context.checkBody = (bytes) => {
        if (sha256Of(bytes) !== signedBody) refuse("mismatch", req);
      };
    }
    return principalOf(req);
  };
}

function clientText({ ip, userAgent }: Client): string {
  return `${ip ?? "-"} ${encodeURIComponent(userAgent?.toWellFormed() ?? "")}`.trimEnd();
}

function clientOf(text: string): Client {
  const [ip = "", userAgent = ""] = text.split(" ");
  return { ip: ip === "-" ? null : ip || null, userAgent: decodeURIComponent(userAgent) || null };
}

function sha256Of(body: Buffer | undefined): string {
  return body === undefined || body.length === 0 ? "none" : hash("sha256", body, "hex");
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

function principalOf(req: IncomingMessage): Principal {
  const header = (name: SignedHeader) => String(req.headers[name] ?? "");
  const words = (name: SignedHeader) => header(name).split(" ").filter(Boolean);
  const client = header("x-client");
  const passedQuotas = words("x-passed-quotas");
  const confirmedEmails = words("x-confirmed-emails").map(decodeURIComponent);
  return {
    tenantId: header("x-tenant-id"),
    role: roles.find((role): role is Role => role === header("x-role")) ?? "viewer",
    actor: {
      type: header("x-actor-type") === "user" ? "user" : "api_key",
      id: header("x-actor-id"),
      name: decodeURIComponent(header("x-actor-name")),
    },
    scopes: words("x-scopes"),
    modules: words("x-modules"),
    ...(passedQuotas.length > 0 && { passedQuotas }),
    ...(confirmedEmails.length > 0 && { confirmedEmails }),
    ...(client !== "" && { client: clientOf(client) }),
  };
}
