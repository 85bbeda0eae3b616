// A steady stream of what customers do, over HTTP through the gateway: orders, and redirects that are added and removed
// again. Like a careful client it sends each request until it has an answer: an order under its Idempotency-Key, a redirect
// under its path.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { Agent } from "undici";

export interface Refusal {
  /** 0 where there was no answer at all. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly path: "orders" | "redirects";
  readonly at: number;
}

/** One request that a client wanted answered. */
export interface Operation {
  readonly kind: "order.placed" | "redirect.added" | "redirect.removed";
  readonly tenantId: string;
  /** The order's or the redirect's own, once acknowledged. */
  id: string | null;
  /** What finds it in the databases, acknowledged or not. */
  readonly mark: string;
  readonly startedAt: number;
  acknowledgedAt: number | null;
}

export interface Stream {
  readonly operations: Operation[];
  readonly refusals: Refusal[];
  /** Starts nothing new, and resolves when everything is answered or given up. */
  stop(): Promise<void>;
}

const GIVE_UP_MS = 180_000;
const REQUEST_TIMEOUT_MS = 15_000;
const TRY_AGAIN_MS = 150;
/** Of one client: the order, then the redirect's coming and going. */
const OPERATIONS_A_ROUND = 3;

/** In: where to send to, who sends, and how many operations a second to begin with. */
export function startStream(
  url: string,
  tenants: readonly TenantCredentials[],
  operationsPerSecond: number,
): Stream {
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const operations: Operation[] = [];
  const refusals: Refusal[] = [];
  const rounds = new Set<Promise<void>>();
  let count = 0;
  const beginning = setInterval(
    () => {
      const tenant = tenants[count % tenants.length] as TenantCredentials;
      count += 1;
      const round = live(tenant).finally(() => rounds.delete(round));
      rounds.add(round);
    },
    (OPERATIONS_A_ROUND / operationsPerSecond) * 1_000,
  );

  async function live(tenant: TenantCredentials): Promise<void> {
    await placeOrder(tenant);
    const from = `/chaos/${randomUUID()}`;
    const id = await addRedirect(tenant, from);
    if (id !== null) await removeRedirect(tenant, from, id);
  }

  async function placeOrder(tenant: TenantCredentials): Promise<void> {
    const mark = randomUUID();
    const operation = begin("order.placed", tenant, mark);
    const items = [{ sku: "CHAOS", name: "Chaos", quantity: 1, unitPrice: 9.99 }];
    const body = {
      customerId: tenant.customerId,
      channel: "storefront",
      currency: "EUR",
      items,
      metadata: { chaos: mark },
    };
    const answer = await send(tenant, "POST", "/v1/orders", body, mark);
    if (answer?.status === 201) acknowledge(operation, answer.data.id);
    else refuse(answer, "orders");
  }

  async function addRedirect(tenant: TenantCredentials, from: string): Promise<string | null> {
    const operation = begin("redirect.added", tenant, from);
    const answer = await send(tenant, "POST", "/v1/redirects", { from, to: "/" });
    // Somebody was here before: an earlier try of ours.
    const known =
      answer?.status === 409
        ? await send(tenant, "GET", `/v1/redirects/resolve?path=${encodeURIComponent(from)}`)
        : answer;
    if (known === null || (known.status !== 201 && known.status !== 200)) {
      refuse(known, "redirects");
      return null;
    }
    acknowledge(operation, known.data.id);
    return known.data.id;
  }

  async function removeRedirect(tenant: TenantCredentials, from: string, id: string): Promise<void> {
    const operation = begin("redirect.removed", tenant, from);
    const answer = await send(tenant, "DELETE", `/v1/redirects/${id}`);
    if (answer?.status === 200 || answer?.status === 404) acknowledge(operation, id);
    else refuse(answer, "redirects");
  }

  /** For good: what we send is right, so a platform that refuses it is wrong. */
  function refuse(answer: { status: number } | null, path: Refusal["path"]): void {
    refusals.push({ status: answer?.status ?? 0, hasRetryAfter: false, path, at: Date.now() });
  }

  function begin(kind: Operation["kind"], { tenantId }: TenantCredentials, mark: string): Operation {
    const operation = { kind, tenantId, id: null, mark, startedAt: Date.now(), acknowledgedAt: null };
    operations.push(operation);
    return operation;
  }

  /** Out: the answer, whatever it is but "try again"; null where it was given up. */
  async function send(
    tenant: TenantCredentials,
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: object,
    key?: string,
  ) {
    const until = Date.now() + GIVE_UP_MS;
    while (Date.now() < until) {
      const answer = await ask(tenant, method, path, body, key);
      if (answer.status !== 0 && answer.status < 500) return answer;
      refusals.push({
        status: answer.status,
        hasRetryAfter: answer.hasRetryAfter,
        path: path.startsWith("/v1/orders") ? "orders" : "redirects",
        at: Date.now(),
      });
      await sleep(TRY_AGAIN_MS);
    }
    return null;
  }

  async function ask(
    tenant: TenantCredentials,
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: object,
    key?: string,
  ) {
    try {
      const response = await agent.request({
        origin: url,
        path,
        method,
        headers: {
          authorization: `Bearer ${tenant.apiKey}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(key !== undefined && { "idempotency-key": key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      const text = await response.body.text();
      const data = (JSON.parse(text) as { data?: { id: string } }).data ?? { id: "" };
      return {
        status: response.statusCode,
        hasRetryAfter: response.headers["retry-after"] !== undefined,
        data,
      };
    } catch {
      return { status: 0, hasRetryAfter: false, data: { id: "" } };
    }
  }

  return {
    operations,
    refusals,
    stop: async () => {
      clearInterval(beginning);
      await Promise.all(rounds);
      await agent.close();
    },
  };
}

function acknowledge(operation: Operation, id: string): void {
  operation.id = id;
  operation.acknowledgedAt = Date.now();
}
