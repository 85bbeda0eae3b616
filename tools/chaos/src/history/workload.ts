// Clients that work on the same resources at the same time, and the history of each resource.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { HttpRequest, HttpResponse } from "../send-requests.ts";
import type { Model, Operation } from "./linearize.ts";
import { type Recorder, recordOperation } from "./record-operation.ts";

/** One kind of resource: which requests clients send about it, and what they see in the responses. */
export interface Workload<Resource, State extends object, Request, Response> {
  readonly model: Model<State, Request, Response>;
  readonly create: () => Resource;
  readonly choose: (resource: Resource, random: () => number) => Request;
  readonly httpOf: (resource: Resource, request: Request, tenant: TenantCredentials) => HttpRequest;
  /** Adds to what the clients know about the resource. */
  readonly responseOf: (resource: Resource, response: HttpResponse) => Response;
  readonly lastOf: (resource: Resource) => Request;
}

export interface History<Resource, Request, Response> {
  readonly resource: Resource;
  readonly operations: Operation<Request, Response>[];
}

export interface Clients<Resource, Request, Response> {
  /** Sends no more requests except the ones that read the resources at the end. */
  stop(): Promise<History<Resource, Request, Response>[]>;
}

const CLIENTS = 6;
const RESOURCES_AT_A_TIME = 2;
/** The last one is the read at the end. The search may take long if there are more. */
const OPERATIONS_MAX = 60;
const LAST_TRIES_MAX = 200;

/**
 * Starts clients that work on a few resources at a time until each has its operations. They send `operationsPerSecond`, or fewer if
 * responses take long.
 */
export function startClients<Resource, State extends object, Request, Response>(
  workload: Workload<Resource, State, Request, Response>,
  recorder: Recorder,
  operationsPerSecond: number,
): Clients<Resource, Request, Response> {
  // Random pauses are half as long on average.
  const pauseMsMax = (2 * 1_000 * CLIENTS) / operationsPerSecond;
  type OneHistory = History<Resource, Request, Response> & { begun: number };
  const histories: OneHistory[] = [];
  const open: OneHistory[] = Array.from({ length: RESOURCES_AT_A_TIME }, begin);
  let isStopping = false;
  const clients = Promise.all(Array.from({ length: CLIENTS }, work));
  // `stop` throws the error.
  clients.catch(() => undefined);

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
      const request = workload.choose(history.resource, Math.random);
      // Otherwise an outage would use up the operations of many resources.
      if (!(await perform(history, request, { isLast: false }))) history.begun -= 1;
      await sleep(Math.random() * pauseMsMax);
    }
  }

  async function perform(
    { resource, operations }: OneHistory,
    request: Request,
    { isLast }: { isLast: boolean },
  ): Promise<boolean> {
    const http = withKey(workload.httpOf(resource, request, recorder.tenant));
    return await recordOperation(recorder, operations, {
      ...{ request, http },
      responseOf: (response) => workload.responseOf(resource, response),
      mayRepeat: (tries) => (isLast ? tries < LAST_TRIES_MAX : http.method === "POST" && !isStopping),
    });
  }

  return {
    stop: async () => {
      isStopping = true;
      await clients;
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
