// How the gateway tells a service who is calling: the identity headers of contract §3 and the signature that binds
// them to method, path and time. Strip-and-trust proxies leak identities; here an unsigned request is nobody's.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";
import { type Principal, type Role, roles } from "./principal.ts";
import type { Identify } from "./request-context.ts";

/** A signature older than this, or from further ahead, is refused. */
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

export interface SignedCall {
  readonly method: string;
  /** Path with query, as it is sent. */
  readonly path: string;
  readonly requestId: string;
  readonly traceparent: string;
}

/**
 * In: the principal, the call and the secret shared with that one service.
 * Out: every identity header, signature included. Names are percent-encoded, so they fit a header.
 */
export function principalHeaders(
  principal: Principal,
  context: SignedCall,
  secret: string,
  nowSeconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const headers: Record<(typeof SIGNED_HEADERS)[number], string> = {
    "x-tenant-id": principal.tenantId,
    "x-role": principal.role,
    "x-actor-type": principal.actor.type,
    "x-actor-id": principal.actor.id,
    "x-actor-name": encodeURIComponent(principal.actor.name.toWellFormed()),
    "x-scopes": principal.scopes.join(" "),
    "x-modules": principal.modules.join(" "),
    "x-request-id": context.requestId,
    traceparent: context.traceparent,
  };
  const signature = sign(secret, nowSeconds, context.method, context.path, headers);
  return { ...headers, "x-gateway-signature": `t=${nowSeconds},v1=${signature}` };
}

/** In: the secret shared with the gateway. Out: an Identify that throws 401 without a valid signature. */
export function identifyBySignature(secret: string): Identify {
  return ({ req }) => {
    const [, time = "", signature = ""] =
      /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(req.headers["x-gateway-signature"])) ?? [];
    const age = Math.abs(Date.now() / 1000 - Number(time));
    const expected = sign(secret, Number(time), req.method ?? "", req.url ?? "", req.headers);
    const isGenuine = signature !== "" && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
    if (!isGenuine || age > SIGNATURE_AGE_SECONDS_MAX) {
      throw new ApiError("unauthorized", "This service is called through the gateway.");
    }
    return principalOf(req);
  };
}

function sign(
  secret: string,
  timeSeconds: number,
  method: string,
  path: string,
  headers: Record<string, string | string[] | undefined>,
): string {
  // No header value and no request line can contain a newline, so the parts cannot run into each other.
  const parts = [
    String(timeSeconds),
    method,
    path,
    ...SIGNED_HEADERS.map((name) => String(headers[name] ?? "")),
  ];
  return createHmac("sha256", secret).update(parts.join("\n")).digest("hex");
}

function principalOf(req: IncomingMessage): Principal {
  const header = (name: (typeof SIGNED_HEADERS)[number]) => String(req.headers[name] ?? "");
  const words = (name: (typeof SIGNED_HEADERS)[number]) => header(name).split(" ").filter(Boolean);
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
  };
}
