// Clients of one listener that lease deliveries and report results in time, late, twice or not at all (interface §12).
import { sleep } from "@tradepost/runtime";
import { failedRequest, type HttpRequest, isAnswered } from "../send-requests.ts";
import type { Model, Operation } from "./linearize.ts";
import { type Recorder, recordOperation } from "./record-operation.ts";
import type { Clients } from "./workload.ts";

const CLIENTS = 3;
const LEASED_MAX = 5;
const RETRY_AFTER_MS = 150;
const EVENTS = ["redirect.added", "redirect.removed"];
const LISTENERS = "/v1/webhooks/listeners";
/** Longer than the lease that chaos sets. */
const LATE_MS = 2_500;
const DELETE_TRIES_MAX = 200;
/** Far longer than the first redirect's event takes to the listener on a busy machine. */
const FIRST_LEASE_TIMEOUT_MS = 60_000;

interface Leased {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly leaseId: string;
  readonly leasedUntil: string;
  /** The webhook, with the time at which it was leased. */
  readonly body: string;
}

export async function startLeaseClients(
  recorder: Recorder,
): Promise<Clients<string, LeaseRequest, LeaseResponse>> {
  const { sender, tenant, failedRequests } = recorder;
  const histories: LeaseHistories = new Map();
  let isStopping = false;
  const listener = await createListener(recorder);
  const clients = Promise.all(Array.from({ length: CLIENTS }, work));
  // `stop` throws the error.
  clients.catch(() => undefined);

  async function work(): Promise<void> {
    while (!isStopping) {
      const leased = await lease();
      const fate = Math.random();
      // The leases run out: this client has died.
      if (fate < 0.1) continue;
      if (fate < 0.2) await sleep(LATE_MS);
      await Promise.all(leased.map(report));
    }
  }

  async function lease(): Promise<Leased[]> {
    const startedAt = performance.now();
    const http = { method: "POST", path: `${listener}/lease` } as const;
    const response = await sender.send(tenant, { ...http, body: { limit: LEASED_MAX, waitSeconds: 1 } });
    const endedAt = performance.now();
    if (!isAnswered(response)) {
      failedRequests.push(failedRequest(http, response));
      await sleep(RETRY_AFTER_MS);
      return [];
    }
    if (response.status !== 200) throw new Error(`a lease failed with ${response.status}`);
    const leased = response.body.data as Leased[];
    for (const { deliveryId, attempt, leaseId, leasedUntil, body } of leased) {
      const from = Date.parse(JSON.parse(body).delivered_at);
      const request = { name: "lease", attempt, leaseId, from, until: Date.parse(leasedUntil) } as const;
      historyOf(deliveryId, histories).push({ request, response: response.status, startedAt, endedAt });
    }
    return leased;
  }

  async function report({ deliveryId, attempt, leaseId }: Leased): Promise<void> {
    const statusCode = Math.random() < 0.7 ? 200 : 500;
    const http: HttpRequest = {
      ...{ method: "POST", path: `${listener}/deliveries/${deliveryId}/result` },
      body: { leaseId, attempt, statusCode, durationMs: 1 },
    };
    const times = Math.random() < 0.2 ? 2 : 1;
    const sent = {
      ...{ request: { name: "result", attempt, leaseId, statusCode } as const, http },
      responseOf: ({ status }: { status: number }) => status,
      mayRepeat: () => !isStopping,
    };
    await Promise.all(
      Array.from({ length: times }, () => recordOperation(recorder, historyOf(deliveryId, histories), sent)),
    );
  }

  return {
    stop: async () => {
      await untilLeased(histories);
      isStopping = true;
      await clients;
      await deleteListener(recorder, listener);
      return [...histories].map(([resource, operations]) => ({ resource, operations }));
    },
  };
}

type LeaseHistories = Map<string, Operation<LeaseRequest, LeaseResponse>[]>;

function historyOf(deliveryId: string, histories: LeaseHistories) {
  const operations = histories.get(deliveryId) ?? [];
  histories.set(deliveryId, operations);
  return operations;
}

/** A short run on a busy machine would otherwise end before the first lease, with nothing to check. */
async function untilLeased(histories: LeaseHistories): Promise<void> {
  const deadline = performance.now() + FIRST_LEASE_TIMEOUT_MS;
  while (histories.size === 0 && performance.now() < deadline) await sleep(RETRY_AFTER_MS);
}

async function createListener({ sender, tenant }: Recorder): Promise<string> {
  const body = { name: "histories", events: EVENTS };
  const created = await sender.send(tenant, { method: "POST", path: LISTENERS, body });
  if (created.status !== 201) throw new Error(`creating a listener failed with ${created.status}`);
  return `${LISTENERS}/${created.body.data.id}`;
}

/** A tenant has few listeners, and each run makes one. */
async function deleteListener({ sender, tenant }: Recorder, listener: string): Promise<void> {
  for (let tries = 1; tries <= DELETE_TRIES_MAX; tries += 1) {
    if (isAnswered(await sender.send(tenant, { method: "DELETE", path: listener }))) return;
    await sleep(RETRY_AFTER_MS);
  }
}

/** Times are from the database's clock, in ms. */
export type LeaseRequest = { readonly attempt: number; readonly leaseId: string } & (
  | { readonly name: "lease"; readonly from: number; readonly until: number }
  | { readonly name: "result"; readonly statusCode: number }
);

type LeaseResponse = number;

interface LeaseState {
  /** The attempts that have ended. */
  readonly ended: readonly { readonly leaseId: string; readonly statusCode: number }[];
  readonly leasedUntil: number;
  readonly leaseId: string | null;
}

const ATTEMPTS_MAX = 8;
/** The times are rounded. */
const ROUNDING_MS = 1;

export const leaseModel: Model<LeaseState, LeaseRequest, LeaseResponse> = {
  initial: { ended: [], leasedUntil: 0, leaseId: null },
  step: (state, { request, response }) =>
    request.name === "lease" ? lease(state, request) : settle(state, request, response),
};

type Lease = Extract<LeaseRequest, { name: "lease" }>;
type Result = Extract<LeaseRequest, { name: "result" }>;

function lease({ ended, leasedUntil }: LeaseState, request: Lease): LeaseState | null {
  const { attempt, leaseId, from, until } = request;
  const isSettled = ended.length === ATTEMPTS_MAX || isSuccess(ended.at(-1)?.statusCode);
  const isHeld = from + ROUNDING_MS < leasedUntil;
  if (isSettled || isHeld || attempt !== ended.length + 1) return null;
  return { ended, leasedUntil: until, leaseId };
}

function settle(state: LeaseState, request: Result, response: number | null): LeaseState | null {
  const { attempt, leaseId, statusCode } = request;
  const counted = state.ended[attempt - 1];
  const isNext = attempt === state.ended.length + 1 && state.leaseId === leaseId;
  const isCounted = counted?.leaseId === leaseId && counted.statusCode === statusCode;
  const status = isNext || isCounted ? 200 : 409;
  if (response !== null && response !== status) return null;
  if (isNext) return { ended: [...state.ended, { leaseId, statusCode }], leasedUntil: 0, leaseId: null };
  return response === null ? null : state;
}

function isSuccess(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300;
}
