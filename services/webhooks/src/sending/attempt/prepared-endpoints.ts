// Keeps the data that the attempts at an endpoint share, so that it is not computed for each: the signing keys, the subscription's
// own headers and the parts of the URL. Signing secrets are kept only as key objects.
import { type Addressed, type Sealing, signingKeys } from "../../endpoint/endpoint.ts";

type PreparedEndpoint = ReturnType<typeof prepare>;

/**
 * Throws if a secret or the headers cannot be opened. Keeps the most recently used endpoints, and prepares one again when its URL, a
 * sealed secret or the headers change, so that a rotation takes effect at once.
 */
export function preparedEndpoints(sealing: Sealing, endpointsMax: number) {
  const kept = new Map<string, PreparedEndpoint>();
  return (delivery: Addressed): PreparedEndpoint => {
    const { subscriptionId } = delivery;
    const found = kept.get(subscriptionId);
    const endpoint = found && isFrom(found, delivery) ? found : prepare(delivery, sealing);
    // The first entry is the least recently used.
    kept.delete(subscriptionId);
    kept.set(subscriptionId, endpoint);
    if (kept.size > endpointsMax) kept.delete(kept.keys().next().value ?? "");
    return endpoint;
  };
}

function isFrom(endpoint: PreparedEndpoint, delivery: Addressed): boolean {
  return (
    endpoint.tenantId === delivery.tenantId &&
    endpoint.url === delivery.url &&
    delivery.secretSealed.equals(endpoint.secretSealed) &&
    areEqual(delivery.previousSecretSealed, endpoint.previousSecretSealed) &&
    areEqual(delivery.headersSealed, endpoint.headersSealed)
  );
}

function areEqual(one: Buffer | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

function prepare(delivery: Addressed, sealing: Sealing) {
  const { tenantId, subscriptionId, url, secretSealed, previousSecretSealed, headersSealed } = delivery;
  const open = (sealed: Buffer) => signingKeys(sealing.openSecret(sealed, tenantId, subscriptionId));
  const { origin, href } = new URL(url);
  return {
    tenantId,
    url,
    origin,
    // Also an empty query is sent.
    path: href.slice(origin.length).replace(/#.*/, ""),
    // Copies the bytes: a Buffer may be part of a larger one, which it would keep in memory.
    secretSealed: new Uint8Array(secretSealed),
    previousSecretSealed: previousSecretSealed && new Uint8Array(previousSecretSealed),
    headersSealed: headersSealed && new Uint8Array(headersSealed),
    keys: open(secretSealed),
    previousKeys: previousSecretSealed ? open(previousSecretSealed) : undefined,
    ownHeaders: Object.fromEntries(
      sealing.openHeaders(headersSealed, tenantId, subscriptionId).map(({ name, value }) => [name, value]),
    ),
  };
}
