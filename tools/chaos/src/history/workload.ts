// Clients that work on the same resources at the same time, and the history of each resource.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { type HttpRequest, type HttpResponse, isAnswered, type Sender } from "../send-requests.ts";
import type { FailedRequest } from "../traffic.ts";
import type { Model, Operation } from "./linearize.ts";

/** One kind of resource: which requests clients send about it, and what they see in the responses. */
export interface Workload<Resource, State extends object, Request, Response> {
  readonly model: Model<State, Request, Response>;
  /** What the clients know about a resource that does not exist yet. */
  readonly create: () => Resource;
  readonly choose: (resource: Resource, random: () => number) => Request;
  readonly httpOf: (resource: Resource, request: Request, tenant: TenantCredentials) => HttpRequest;
  readonly responseOf: (resource: Resource, response: HttpResponse) => Response;
  /** The last operation of each history: a read that shows as much as possible. */
  readonly lastOf: (resource: Resource) => Request;
}

export interface History<Resource, Request, Response> {
  readonly resource: Resource;
  readonly operations: Operation<Request, Response>[];
}

export interface Clients<Resource, Request, Response> {
  /** Sends no more requests but those that read the resources at the end. */
  stop(): Promise<History<Resource, Request, Response>[]>;
}

const CLIENTS = 6;
const RESOURCES_AT_A_TIME = 2;
/** The last one is the read at the end. The search may take long for more. */
const OPERATIONS_MAX = 60;
const PAUSE_MS_MAX = 300;
const RETRY_AFTER_MS = 150;
const LAST_TRIES_MAX = 200;

interface Context {
  readonly sender: Sender;
  readonly tenant: TenantCredentials;
  readonly failedRequests: FailedRequest[];
}

/** Starts clients that work on a few resources at a time until each has its operations. */
export function startClients<Resource, State extends object, Request, Response>(
  workload: Workload<Resource, State, Request, Response>,
  { sender, tenant, failedRequests }: Context,
): Clients<Resource, Request, Response> {
  type OneHistory = History<Resource, Request, Response> & { begun: number };
  const histories: OneHistory[] = [];
  const open: OneHistory[] = Array.from({ length: RESOURCES_AT_A_TIME }, begin);
  let isStopping = false;
  const clients = Array.from({ length: CLIENTS }, work);

  function begin(): OneHistory {
    const history = { resource: workload.create(), operations: [], begun: 0 };
    histories.push(history);
    return history;
  }

  async function work(): Promise<void> {
    while (!isStopping) {
      const place = Math.floor(Math.random() * open.length);
      const history = open[place] as OneHistory;
      history.begun += 1;
      if (history.begun === OPERATIONS_MAX - 1) open[place] = begin();
      await perform(history, workload.choose(history.resource, Math.random), { isLast: false });
      await sleep(Math.random() * PAUSE_MS_MAX);
    }
  }

  /**
   * Sends the request, again while it has an Idempotency-Key and gets no response. A refusal need not be about the requests before it:
   * each of them may still take effect, once at most.
   */
  async function perform(
    { resource, operations }: OneHistory,
    request: Request,
    { isLast }: { isLast: boolean },
  ): Promise<void> {
    const http = withKey(workload.httpOf(resource, request, tenant));
    const isRead = http.method === "GET";
    const mayRepeat = (tries: number) =>
      isLast ? tries < LAST_TRIES_MAX : http.method === "POST" && !isStopping;
    const firstStartedAt = performance.now();
    for (let tries = 1; ; tries += 1) {
      const startedAt = performance.now();
      const response = await sender.send(tenant, http);
      const endedAt = performance.now();
      if (isAnswered(response)) {
        const isRefused = response.status >= 400;
        if (isRefused && tries > 1 && !isRead) recordUnanswered(firstStartedAt);
        operations.push({
          request,
          response: workload.responseOf(resource, response),
          startedAt: isRefused || isRead ? startedAt : firstStartedAt,
          endedAt,
        });
        return;
      }
      failedRequests.push({ status: response.status, hasRetryAfter: response.hasRetryAfter });
      await sleep(RETRY_AFTER_MS);
      if (!mayRepeat(tries)) return isRead ? undefined : recordUnanswered(firstStartedAt);
    }

    function recordUnanswered(startedAt: number): void {
      operations.push({ request, response: null, startedAt, endedAt: Number.POSITIVE_INFINITY });
    }
  }

  return {
    stop: async () => {
      isStopping = true;
      await Promise.all(clients);
      for (const history of histories)
        await perform(history, workload.lastOf(history.resource), { isLast: true });
      return histories;
    },
  };
}

function withKey(request: HttpRequest): HttpRequest {
  if (request.method !== "POST") return request;
  return { ...request, headers: { ...request.headers, "idempotency-key": randomUUID() } };
}
