// Remembers the ids in responses, by collection, for later requests.
import { collectionOf, withIds } from "./requests.ts";

// A small number, so that many requests concern the same resource.
const KEPT_PER_COLLECTION = 8;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

// The collection of what an operation starts, by the last segment of its path.
const WORK_OF: Readonly<Record<string, string>> = {
  erasure: "/v1/erasures",
  replays: "/v1/webhooks/replays",
  recover: "/v1/webhooks/recoveries",
};

export type RememberedIds = ReturnType<typeof rememberIds>;

export function rememberIds() {
  const known = new Map<string, string[]>();
  const add = (collection: string, id: unknown) => {
    if (typeof id !== "string") return;
    const ids = (known.get(collection) ?? []).filter((other) => other !== id);
    known.set(collection, [...ids, id].slice(-KEPT_PER_COLLECTION));
  };
  const putInto = (text: string) => withIds(text, (collection) => known.get(collection) ?? []);
  return {
    putInto,
    /** Inserts ids into a body. A body that is not text, or has no id, does not change. */
    putIntoBytes: (bytes: Buffer) =>
      bytes.includes("~/v1/") ? Buffer.from(putInto(bytes.toString())) : bytes,
    /** Forgets the ids in the path of a request, because their resources are deleted or belong to another tenant. */
    forget: (target: string) => {
      const gone: readonly string[] = target.match(UUID) ?? [];
      for (const [collection, ids] of known)
        known.set(
          collection,
          ids.filter((id) => !gone.includes(id)),
        );
    },
    remember: (path: string, text: string) => {
      const { data, page } = parsed(text);
      add(`cursor:${path}`, page?.nextCursor);
      for (const item of [data].flat().filter((one) => typeof one === "object" && one !== null)) {
        const { id, deliveryId, requestId, role, current } = item as Partial<Record<string, unknown>>;
        // Without its owner and the owner's session, the tenant would be useless.
        if (role === "owner" || current === true) continue;
        const work = WORK_OF[path.split("/").at(-1) ?? ""];
        if (work !== undefined) add(work, id);
        else if (isOfCollection(path)) add(collectionOf(path), id);
        add("/v1/webhooks/deliveries", deliveryId);
        add("/v1/requests", requestId);
      }
    },
  };
}

/**
 * Reports whether the path is a list or creation, or one resource, but not a list below one, such as `/v1/orders/{id}/timeline`.
 */
function isOfCollection(path: string): boolean {
  return !/\}\/\w/.test(path) || path.endsWith("/rotate");
}

/** Parses a response. The result is empty for a response that is not JSON, such as an export. */
function parsed(text: string): { data?: unknown; page?: { nextCursor?: unknown } } {
  try {
    return text.startsWith("{") ? JSON.parse(text) : {};
  } catch {
    return {};
  }
}
