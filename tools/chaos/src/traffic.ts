// Steady traffic of customers through the gateway: orders, and redirects that are created and then deleted. A client repeats each
// request until it gets a response: an order with its Idempotency-Key, a redirect with its path.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import {
  createSender,
  type FailedRequest,
  failedRequest,
  type HttpRequest,
  isAnswered,
} from "./send-requests.ts";

/** A request with all its attempts. */
export interface Operation {
  readonly type: "order.placed" | "redirect.added" | "redirect.removed";
  /** Null before the acknowledgement. */
  aggregateId: string | null;
  readonly startedAt: number;
  acknowledgedAt: number | null;
}

export type Traffic = ReturnType<typeof startTraffic>;

const GIVE_UP_AFTER_MS = 180_000;
const RETRY_AFTER_MS = 150;
const OPERATIONS_PER_ROUND = 3;

/** Starts rounds at a fixed rate, with the tenants in turn. A round lasts longer when its requests fail. */
export function startTraffic(
  url: string,
  tenants: readonly TenantCredentials[],
  operationsPerSecond: number,
) {
  const customers = createCustomers(url);
  const rounds = new Set<Promise<void>>();
  let count = 0;
  const timer = setInterval(
    () => {
      const tenant = tenants[count % tenants.length] as TenantCredentials;
      count += 1;
      const round = customers.runRound(tenant).finally(() => rounds.delete(round));
      rounds.add(round);
    },
    (OPERATIONS_PER_ROUND / operationsPerSecond) * 1_000,
  );
  return {
    operations: customers.operations,
    failedRequests: customers.failedRequests,
    /** Resolves when each operation is acknowledged or given up. */
    stop: async () => {
      clearInterval(timer);
      await Promise.all(rounds);
      await customers.close();
    },
  };
}

function createCustomers(url: string) {
  const sender = createSender(url);
  const operations: Operation[] = [];
  const failedRequests: FailedRequest[] = [];

  async function runRound(tenant: TenantCredentials): Promise<void> {
    await placeOrder(tenant);
    const from = `/chaos/${randomUUID()}`;
    const id = await createRedirect(tenant, from);
    if (id !== null) await deleteRedirect(tenant, id);
  }

  async function placeOrder(tenant: TenantCredentials): Promise<void> {
    const operation = start("order.placed");
    const request = orderRequest(tenant.customerId, randomUUID());
    const response = await send(tenant, request);
    if (response?.status === 201) acknowledge(operation, response.data.id);
    else fail(request, response);
  }

  async function createRedirect(tenant: TenantCredentials, from: string): Promise<string | null> {
    const operation = start("redirect.added");
    const request = { method: "POST", path: "/v1/redirects", body: { from, to: "/" } } as const;
    const response = await send(tenant, request);
    const path = `/v1/redirects/resolve?path=${encodeURIComponent(from)}`;
    const lookup = { method: "GET", path } as const;
    // A conflict means that an earlier attempt has created it.
    const isConflict = response?.status === 409;
    const created = isConflict ? await send(tenant, lookup) : response;
    if (created === null || (created.status !== 201 && created.status !== 200)) {
      fail(isConflict ? lookup : request, created);
      return null;
    }
    acknowledge(operation, created.data.id);
    return created.data.id;
  }

  async function deleteRedirect(tenant: TenantCredentials, id: string): Promise<void> {
    const operation = start("redirect.removed");
    const request = { method: "DELETE", path: `/v1/redirects/${id}` } as const;
    const response = await send(tenant, request);
    if (response?.status === 200 || response?.status === 404) acknowledge(operation, id);
    else fail(request, response);
  }

  function start(type: Operation["type"]): Operation {
    const operation = { type, aggregateId: null, startedAt: Date.now(), acknowledgedAt: null };
    operations.push(operation);
    return operation;
  }

  /** Records a final failure. All requests are valid, so a 4xx is a failure too. */
  function fail(request: HttpRequest, response: { status: number } | null): void {
    failedRequests.push(failedRequest(request, { status: response?.status ?? 0, hasRetryAfter: false }));
  }

  /** Null if the client gave up. */
  async function send(tenant: TenantCredentials, request: HttpRequest) {
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    while (Date.now() < deadline) {
      const response = await sender.send(tenant, request);
      if (isAnswered(response)) return { status: response.status, data: response.body.data ?? { id: "" } };
      failedRequests.push(failedRequest(request, response));
      await sleep(RETRY_AFTER_MS);
    }
    return null;
  }

  return { operations, failedRequests, runRound, close: sender.close };
}

function orderRequest(customerId: string, key: string) {
  const items = [{ sku: "CHAOS", name: "Chaos", quantity: 1, unitPrice: 9.99 }];
  const body = { customerId, channel: "storefront", currency: "EUR", items, metadata: { chaos: key } };
  return { method: "POST", path: "/v1/orders", body, headers: { "idempotency-key": key } } as const;
}

function acknowledge(operation: Operation, aggregateId: string): void {
  operation.aggregateId = aggregateId;
  operation.acknowledgedAt = Date.now();
}
