// Requests that place orders: through the gateway with API keys, or at the service itself, signed as the gateway does.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { type Principal, principalHeaders } from "@tradepost/http";
import { newTraceparent } from "@tradepost/runtime";
import { requestText } from "./connection.ts";

const PATH = "/v1/orders";
// A signature holds for 30 s; what is measured is not the making of it.
const SIGN_EVERY_MS = 10_000;

/** What an order of so many lines looks like. */
export function orderBody(customerId: string, lines: number): string {
  const items = Array.from({ length: lines }, (_, index) => ({
    sku: `TSHIRT-${index + 1}`,
    name: `T-shirt, size ${index + 1}`,
    quantity: 1 + (index % 3),
    unitPrice: 19.99,
    taxAmount: 1.6,
  }));
  return JSON.stringify({
    customerId,
    currency: "EUR",
    channel: "storefront",
    shippingTotal: 4.9,
    items,
    shippingAddress: { line1: "Mannerheimintie 1", city: "Helsinki", postalCode: "00100", country: "FI" },
  });
}

/** Out: makes the next request, the tenants in turn, each under an Idempotency-Key of its own. */
export function throughGateway(tenants: readonly TenantCredentials[], lines: number): () => string {
  const texts = tenants.map(({ apiKey, customerId }) =>
    inTwo({ authorization: `Bearer ${apiKey}` }, orderBody(customerId, lines)),
  );
  return takingTurns(texts);
}

/** The same at the orders service, in: the secret it shares with the gateway. */
export function directly(tenants: readonly TenantCredentials[], lines: number, secret: string): () => string {
  let signedAt = 0;
  let next = () => "";
  return () => {
    if (Date.now() - signedAt > SIGN_EVERY_MS) {
      signedAt = Date.now();
      next = takingTurns(
        tenants.map((tenant) => inTwo(signed(tenant, secret), orderBody(tenant.customerId, lines))),
      );
    }
    return next();
  };
}

function signed({ tenantId }: TenantCredentials, secret: string): Record<string, string> {
  const principal: Principal = {
    tenantId,
    role: "editor",
    actor: { type: "api_key", id: randomUUID(), name: "Bench" },
    scopes: ["write:crm"],
    modules: ["crm"],
  };
  const call = { method: "POST", path: PATH, requestId: randomUUID(), traceparent: newTraceparent() };
  return principalHeaders(principal, call, secret);
}

/** What comes before and after the key. */
function inTwo(headers: Record<string, string>, body: string): readonly [string, string] {
  const [before = "", after = ""] = requestText(
    "POST",
    PATH,
    { ...headers, "idempotency-key": "@key@" },
    body,
  ).split("@key@");
  return [before, after];
}

function takingTurns(texts: readonly (readonly [string, string])[]): () => string {
  let count = 0;
  return () => {
    const [before, after] = texts[count % texts.length] as readonly [string, string];
    count += 1;
    return before + randomUUID() + after;
  };
}
