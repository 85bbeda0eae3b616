// POST /v1/entries/{id}/publish: validates the latest revision and publishes it; `content.entry.published`.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { TenantDatabase } from "@tradepost/postgres";
import { latestRevision } from "../entry/entry-store.ts";
import { lockRedirectsOfMove, publishRevision } from "../entry/publish-revision.ts";
import type { Tables } from "../tables.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

type PublishRequest = ApiRequest<undefined, undefined>;

export function publishEntry({ tenants, onCommit }: Content) {
  return withIdempotencyKey(tenants, async (tenant, request: PublishRequest) => {
    // The entry may get another slug between the look at it and its lock. Then the redirects are locked whatever it has.
    const response =
      (await publish(tenant, request, { mayMove: false })) ??
      (await publish(tenant, request, { mayMove: true }));
    if (response === null) throw new Error("the redirects are locked, but the entry was not published");
    onCommit();
    return response;
  });
}

/** Returns null, having written nothing, if the entry turns out to move after it is locked. */
async function publish(
  tenant: TenantDatabase<Tables>,
  request: PublishRequest,
  { mayMove }: { mayMove: boolean },
): Promise<ApiResponse | null> {
  return await tenant.transaction(async (tx) => {
    // They share a round trip, and run in this order.
    const [areRedirectsLocked, before] = await Promise.all([
      lockRedirectsOfMove(tx, request.id, { always: mayMove }),
      lockMatchingEntry(tx, request),
    ]);
    const latest = await latestRevision(tx, before);
    const published = await publishRevision(tx, before, latest, { cause: request, areRedirectsLocked });
    if (published === null) return null;
    const changed = entryResponse(published);
    await insertRecord(tx, request.idempotencyKey, changed);
    return changed;
  });
}
