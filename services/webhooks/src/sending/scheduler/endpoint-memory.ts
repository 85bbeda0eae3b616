// The endpoints that the scheduler remembers: those with attempts in progress or waiting deliveries, and those that failed
// recently. For others, the database's state is enough.
import { DOWN_FROM_FAILURES } from "../../endpoint/endpoint.ts";
import {
  type EndpointRecord,
  type EndpointState,
  hostOf,
  isDown,
  type TenantRecord,
} from "./endpoint-record.ts";
import { append, createList, remove, unlinked } from "./linked-list.ts";
import { createQueue } from "./turns.ts";

/** How long an idle endpoint that failed counts before the database's older state. */
const IDLE_MS = 60_000;
const IDLE_MAX = 10_000;

export function createEndpointMemory(now: () => number) {
  const endpoints = new Map<string, EndpointRecord>();
  const tenants = new Map<string, TenantRecord>();
  const idle = createList<EndpointRecord>();

  /** `state` is used if the endpoint is not remembered, or idle for longer than IDLE_MS. */
  function recordOf(state: EndpointState): EndpointRecord {
    const { tenantId, subscriptionId, consecutiveFailures } = state;
    const known = endpoints.get(subscriptionId);
    if (known === undefined) {
      const record = newRecord(state, tenantOf(tenantId));
      restrain(record, state, now());
      endpoints.set(subscriptionId, record);
      return record;
    }
    const isOutdated = known.list === idle && now() - known.idleSince > IDLE_MS;
    if (known.list === idle) remove(known);
    if (consecutiveFailures > 0) known.needsReset = true;
    if (state.origin !== known.origin) {
      known.origin = state.origin;
      known.host = hostOf(state);
    }
    if (isOutdated) renew(known, state);
    // A failure that is not recorded yet may have asked for a hold that the database does not have.
    if (known.unrecordedFailures === 0) restrain(known, state, now());
    else if (state.isRestrained) known.isRestrained = true;
    return known;
  }

  function tenantOf(id: string): TenantRecord {
    const known = tenants.get(id);
    if (known !== undefined) return known;
    const queues: TenantRecord["queues"] = {
      ...{ proven: createQueue(), other: createQueue(), down: createQueue() },
    };
    const tenant = { id, queues, endpointCount: 0 };
    tenants.set(id, tenant);
    return tenant;
  }

  /** Forgets an idle endpoint: at once, or later if it failed. */
  function rest(record: EndpointRecord): void {
    if (record.inFlight > 0 || record.isWaiting || endpoints.get(record.key.subscriptionId) !== record)
      return;
    if (record.consecutiveFailures === 0 && !record.needsReset && record.unrecordedFailures === 0) {
      forget(record);
      return;
    }
    if (record.list === idle) return;
    record.idleSince = now();
    append(idle, record);
    for (let oldest = idle.first; oldest && isExpired(oldest); oldest = idle.first) forget(oldest);
  }

  function isExpired(record: EndpointRecord): boolean {
    if (idle.length > IDLE_MAX) return true;
    return record.unrecordedFailures === 0 && now() - record.idleSince > IDLE_MS;
  }

  function forget(record: EndpointRecord): void {
    remove(record);
    endpoints.delete(record.key.subscriptionId);
    record.tenant.endpointCount -= 1;
    if (record.tenant.endpointCount === 0) tenants.delete(record.tenant.id);
  }

  return { recordOf, rest };
}

function newRecord(state: EndpointState, tenant: TenantRecord): EndpointRecord {
  const { tenantId, subscriptionId, windowSize, isProven, consecutiveFailures } = state;
  const standing = { windowSize, isProven };
  tenant.endpointCount += 1;
  return {
    ...unlinked(),
    key: { tenantId, subscriptionId },
    tenant,
    origin: state.origin,
    host: hostOf(state),
    standing,
    stored: standing,
    isStoredAsDown: consecutiveFailures < DOWN_FROM_FAILURES ? false : null,
    consecutiveFailures,
    inFlight: 0,
    isWaiting: false,
    waitingVersion: 0,
    isRestrained: false,
    heldUntil: 0,
    limitedUntil: Number.NEGATIVE_INFINITY,
    restsUntil: 0,
    restsForAttempt: false,
    recordedVersion: 0,
    resting: null,
    needsReset: consecutiveFailures > 0,
    unrecordedFailures: 0,
    queuedIn: null,
    idleSince: 0,
  };
}

/** Two reads of a hold differ by less. */
const SAME_HOLD_MS = 1_000;

function restrain(record: EndpointRecord, { isRestrained, heldForMs }: EndpointState, now: number): void {
  record.isRestrained = isRestrained;
  const heldUntil = heldForMs === null ? 0 : now + heldForMs;
  if (Math.abs(heldUntil - record.heldUntil) > SAME_HOLD_MS) record.heldUntil = heldUntil;
}

function renew(record: EndpointRecord, { windowSize, isProven, consecutiveFailures }: EndpointState): void {
  record.standing = { windowSize, isProven };
  record.stored = record.standing;
  record.consecutiveFailures = consecutiveFailures;
  record.isStoredAsDown = isDown(record) ? null : false;
}
