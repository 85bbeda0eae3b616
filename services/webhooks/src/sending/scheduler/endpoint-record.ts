// The facts that the scheduler keeps about an endpoint, and decisions that follow from them.
import { DOWN_FROM_FAILURES, type Standing } from "../../subscriptions/subscriptions.ts";
import type { Lane } from "./lanes.ts";
import type { Linked } from "./linked-list.ts";
import type { TurnQueue } from "./turns.ts";

export interface EndpointKey {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

/** As read from the database. */
export interface EndpointState extends EndpointKey, Standing {
  readonly consecutiveFailures: number;
  /** Scheme, host and port of its URL. Null for a listener, and for a host name that cannot exist. */
  readonly origin: string | null;
  /** Its deliveries are claimed with its row locked: it has a limit, is held or is down (interface §17). */
  readonly isRestrained: boolean;
  /** How long no attempt may start, in ms; null if it is not held. */
  readonly heldForMs: number | null;
}

export interface TenantRecord {
  readonly id: string;
  readonly queues: Readonly<Record<Lane, TurnQueue<EndpointRecord>>>;
  endpointCount: number;
}

/** Linked in a tenant's queue, among the resting or among the idle, or nowhere while its window is full. */
export interface EndpointRecord extends Linked<EndpointRecord> {
  readonly key: EndpointKey;
  readonly tenant: TenantRecord;
  origin: string | null;
  /** The tenant and the host of its URL: what the limit of a host counts by. Null without a limit. */
  host: string | null;
  standing: Standing;
  stored: Standing;
  /** Null if unknown: several processes together may have counted the failures, and none has stored that. */
  isStoredAsDown: boolean | null;
  consecutiveFailures: number;
  inFlight: number;
  isWaiting: boolean;
  /** How often deliveries were added that wait. */
  waitingVersion: number;
  isRestrained: boolean;
  /** No attempt starts before this time. */
  heldUntil: number;
  /** While it is down, its host has had its attempts, or its limits leave none, it gets none before this time. */
  restsUntil: number;
  resting: Resting | null;
  /** The rest ends when one of its attempts is recorded. */
  restsForAttempt: boolean;
  /** How often attempts were recorded. */
  recordedVersion: number;
  /** A failure may be stored that the next recorded success resets. */
  needsReset: boolean;
  unrecordedFailures: number;
  queuedIn: Lane | null;
  idleSince: number;
}

/**
 * A claim found that the endpoint gets no attempt for a while: it is held, its pace leaves none, or as many as it may have are in
 * flight, by those that the database has recorded.
 */
export interface Rest {
  readonly because: "held" | "pace" | "in flight";
  readonly ms: number;
}

/** An endpoint that waits and gets no attempt before a time. */
export interface Resting {
  readonly until: number;
  readonly turn: number;
  readonly record: EndpointRecord;
}

/** A host has one limit on all of its ports. A dot at the end of a name leads to the same host. */
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

/** No attempt of it starts before this time. */
export function hold(record: EndpointRecord, until: number): void {
  record.isRestrained = true;
  record.heldUntil = Math.max(record.heldUntil, until);
}

export function isDown({ consecutiveFailures }: EndpointRecord): boolean {
  return consecutiveFailures >= DOWN_FROM_FAILURES;
}
