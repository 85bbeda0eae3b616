// The scheduler's knowledge of an endpoint, and the decisions from it.
import { DOWN_FROM_FAILURES, type Standing } from "../../endpoint/endpoint.ts";
import type { Lane } from "./lanes.ts";
import type { Linked } from "./linked-list.ts";
import type { TurnQueue } from "./turns.ts";

export interface EndpointKey {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

export interface EndpointState extends EndpointKey, Standing {
  readonly consecutiveFailures: number;
  /** Scheme, host and port of the URL; null for a listener, and for a host name that cannot exist. */
  readonly origin: string | null;
  /** Its row is locked while its deliveries are claimed: it has a limit, is held or is down (interface §17). */
  readonly isRestrained: boolean;
  readonly heldForMs: number | null;
}

export interface TenantRecord {
  readonly id: string;
  readonly queues: Readonly<Record<Lane, TurnQueue<EndpointRecord>>>;
  endpointCount: number;
}

/** It is in a tenant's queue or among the idle endpoints, and in no list while it rests or its window is full. */
export interface EndpointRecord extends Linked<EndpointRecord> {
  readonly key: EndpointKey;
  readonly tenant: TenantRecord;
  origin: string | null;
  host: string | null;
  standing: Standing;
  stored: Standing;
  /** Null if unknown: several processes may have counted the failures together. */
  isStoredAsDown: boolean | null;
  consecutiveFailures: number;
  inFlight: number;
  isWaiting: boolean;
  waitingVersion: number;
  isRestrained: boolean;
  heldUntil: number;
  /** Until then it was not proven, its window was full, or it or its host was limited. */
  limitedUntil: number;
  /** Applies while it is down, or it or its host has reached a limit. */
  restsUntil: number;
  resting: Resting | null;
  /** Whether the rest ends when one of the endpoint's attempts is recorded. */
  restsForAttempt: boolean;
  recordedVersion: number;
  /** A failure may be stored that the next recorded success must reset. */
  needsReset: boolean;
  unrecordedFailures: number;
  queuedIn: Lane | null;
  idleSince: number;
}

export interface Rest {
  readonly because: "held" | "pace" | "in flight";
  readonly ms: number;
}

export interface Resting {
  readonly until: number;
  readonly turn: number;
  readonly record: EndpointRecord;
}

/** One limit for all ports of a host. A name with a dot at the end is the same host. */
export function hostOf({ tenantId, origin }: EndpointState): string | null {
  if (origin === null) return null;
  return `${tenantId} ${origin
    .replace(/^https:\/\//, "")
    .replace(/:\d+$/, "")
    .replace(/\.$/, "")}`;
}

export function laneOf(record: EndpointRecord): Lane {
  if (isDown(record)) return "down";
  return record.standing.isProven ? "proven" : "other";
}

export function hasRoom(record: EndpointRecord): boolean {
  return record.inFlight < (isDown(record) ? 1 : record.standing.windowSize);
}

export function hasChanged(record: EndpointRecord): boolean {
  const { standing, stored, isStoredAsDown } = record;
  if (isDown(record) !== isStoredAsDown) return true;
  return standing.windowSize !== stored.windowSize || standing.isProven !== stored.isProven;
}

export function hold(record: EndpointRecord, until: number): void {
  record.isRestrained = true;
  record.heldUntil = Math.max(record.heldUntil, until);
}

export function isDown({ consecutiveFailures }: EndpointRecord): boolean {
  return consecutiveFailures >= DOWN_FROM_FAILURES;
}
