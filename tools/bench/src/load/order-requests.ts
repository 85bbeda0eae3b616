// Requests that place orders: through the gateway with API keys, or straight to the service, signed like the gateway's.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { type Principal, principalHeaders } from "@tradepost/http";
import { newTraceparent } from "@tradepost/runtime";
import { requestText } from "./connection.ts";

const PATH = "/v1/orders";

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

/** For the tenants in turn, each with a new Idempotency-Key. */
export function gatewayOrderRequests(tenants: readonly TenantCredentials[], lines: number): () => string {
  const texts = tenants.map(({ apiKey, customerId }) =>
    splitAtKey({ authorization: `Bearer ${apiKey}` }, orderBody(customerId, lines)),
  );
  return roundRobin(texts);
}

/** For the orders service, which shares `secret` with the gateway. */
export function serviceOrderRequests(
  tenants: readonly TenantCredentials[],
  lines: number,
  secret: string,
): () => string {
  const orders = tenants.map(({ tenantId, customerId }) => {
    const principal: Principal = {
      tenantId,
      role: "editor",
      actor: { type: "api_key", id: randomUUID(), name: "Bench" },
      scopes: ["write:crm"],
      modules: ["crm"],
    };
    const body = orderBody(customerId, lines);
    return { principal, body, bytes: Buffer.from(body) };
  });
  let count = 0;
  return () => {
    const { principal, body, bytes } = orders[count % orders.length] as (typeof orders)[number];
    count += 1;
    const idempotencyKey = randomUUID();
    const request = {
      ...{ method: "POST", path: PATH, requestId: randomUUID(), traceparent: newTraceparent() },
      ...{ idempotencyKey, body: bytes },
    };
    const headers = { ...principalHeaders(principal, request, secret), "idempotency-key": idempotencyKey };
    return requestText("POST", PATH, headers, body);
  };
}

/** Before and after its Idempotency-Key. */
function splitAtKey(headers: Record<string, string>, body: string): readonly [string, string] {
  const [before = "", after = ""] = requestText(
    "POST",
    PATH,
    { ...headers, "idempotency-key": "@key@" },
    body,
  ).split("@key@");
  return [before, after];
}

function roundRobin(texts: readonly (readonly [string, string])[]): () => string {
  let count = 0;
  return () => {
    const [before, after] = texts[count % texts.length] as readonly [string, string];
    count += 1;
    return before + randomUUID() + after;
  };
}
