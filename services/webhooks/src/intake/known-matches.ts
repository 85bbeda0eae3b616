// Remembers which subscriptions the events of a tenant and type have matched, so that fan-out can plan deliveries before it asks the
// database. The statement that inserts the deliveries checks the matches.
import type { MatchedSubscription } from "./match-subscriptions.ts";
import type { ReceivedEvent } from "./received-event.ts";

export type KnownMatches = ReturnType<typeof createKnownMatches>;

type Events = readonly ReceivedEvent[];

interface Known {
  readonly subscriptions: readonly MatchedSubscription[];
  readonly bytes: number;
}

const BYTES_MAX = 8 * 1024 * 1024;
// In a larger batch a round trip costs little for each event, and one changed subscription would repeat the work of all.
const BATCH_EVENTS_MAX = 20;
// Measured, without the sealed bytes.
const ENTRY_BYTES = 300;
const SUBSCRIPTION_BYTES = 1_200;

export function createKnownMatches(bytesMax = BYTES_MAX) {
  const known = new Map<string, Known>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= known.get(key)?.bytes ?? 0;
    known.delete(key);
  }

  function keep(key: string, one: Known): void {
    forget(key);
    known.set(key, one);
    bytes += one.bytes;
    for (const oldest of known.keys()) {
      if (bytes <= bytesMax) break;
      forget(oldest);
    }
  }

  return {
    /** In the order of the tenants' and the subscriptions' ids; null if some are unknown. */
    of: (events: Events): readonly MatchedSubscription[] | null => {
      const found: MatchedSubscription[] = [];
      const keys = keysOf(events);
      for (const key of keys) {
        const one = known.get(key);
        if (one === undefined) return null;
        keep(key, one);
        found.push(...one.subscriptions);
      }
      return keys.length === 0 ? null : found;
    },
    remember: (events: Events, subscriptions: readonly MatchedSubscription[]): void => {
      const byTenant = Map.groupBy(subscriptions, ({ tenantId }) => tenantId);
      for (const key of keysOf(events)) {
        const [tenantId = ""] = key.split(" ");
        const ofTenant = byTenant.get(tenantId) ?? [];
        if (ofTenant.every(isCalm)) keep(key, knownOf(ofTenant));
        else forget(key);
      }
    },
  };
}

/** Returns a key for each tenant; none for a large batch, or for several types, whose matches a batch reads together. */
function keysOf(events: Events): string[] {
  if (events.length > BATCH_EVENTS_MAX) return [];
  const keys = new Set(events.map(({ tenant_id, type }) => `${tenant_id} ${type}`));
  const types = new Set(events.map(({ type }) => type));
  return types.size === 1 ? [...keys].sort() : [];
}

function isCalm({ consecutiveFailures, isRestrained, hasWaiting }: MatchedSubscription): boolean {
  return consecutiveFailures === 0 && !isRestrained && !hasWaiting;
}

function knownOf(subscriptions: readonly MatchedSubscription[]): Known {
  const copies = subscriptions.map((subscription) => ({
    ...subscription,
    secretSealed: copyOf(subscription.secretSealed),
    previousSecretSealed: subscription.previousSecretSealed && copyOf(subscription.previousSecretSealed),
    headersSealed: subscription.headersSealed && copyOf(subscription.headersSealed),
    stamp: copyOf(subscription.stamp),
  }));
  const bytes = copies.map(
    ({ headersSealed, filter }) =>
      SUBSCRIPTION_BYTES + (headersSealed?.length ?? 0) + JSON.stringify(filter).length,
  );
  return { subscriptions: copies, bytes: bytes.reduce((sum, some) => sum + some, ENTRY_BYTES) };
}

/** What the driver returns may be part of a larger allocation, which it would keep in memory. */
function copyOf(bytes: Buffer): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer);
}
