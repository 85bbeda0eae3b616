// What clients of a listener see of one delivery (interface §12): one of them holds it at a time, and once it is settled nobody gets it.
// Pure.
import type { Model } from "./linearize.ts";

export type LeaseRequest =
  /** Times are from the database's clock, in ms. */
  | {
      readonly name: "lease";
      readonly attempt: number;
      readonly leaseId: string;
      readonly from: number;
      readonly until: number;
    }
  | {
      readonly name: "result";
      readonly attempt: number;
      readonly leaseId: string;
      readonly statusCode: number;
    };

/** The status of the response. */
export type LeaseResponse = number;

export interface LeaseState {
  /** The attempts that have ended. */
  readonly ended: readonly { readonly leaseId: string; readonly statusCode: number }[];
  readonly leasedUntil: number;
  /** The latest lease of the next attempt; null if it is not leased. */
  readonly leaseId: string | null;
}

const ATTEMPTS_MAX = 8;
/** The times are rounded. */
const ROUNDING_MS = 1;

export const leaseModel: Model<LeaseState, LeaseRequest, LeaseResponse> = {
  initial: { ended: [], leasedUntil: 0, leaseId: null },
  step: (state, { request, response }) =>
    request.name === "lease" ? lease(state, request) : settle(state, request, response),
  keyOf: (state) => JSON.stringify(state),
};

type Lease = Extract<LeaseRequest, { name: "lease" }>;
type Result = Extract<LeaseRequest, { name: "result" }>;

function lease(
  { ended, leasedUntil }: LeaseState,
  { attempt, leaseId, from, until }: Lease,
): LeaseState | null {
  const isSettled = ended.length === ATTEMPTS_MAX || isSuccess(ended.at(-1)?.statusCode);
  const isHeld = from + ROUNDING_MS < leasedUntil;
  if (isSettled || isHeld || attempt !== ended.length + 1) return null;
  return { ended, leasedUntil: until, leaseId };
}

function settle(
  state: LeaseState,
  { attempt, leaseId, statusCode }: Result,
  response: number | null,
): LeaseState | null {
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
