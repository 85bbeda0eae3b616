// PATCH /v1/webhooks/subscriptions/{id}: name, url, events, and `active` to pause and resume.
import { type Answer, type ApiRequest, notFound, ok } from "@tradepost/http";
import * as store from "../subscription/subscription-store.ts";
import type { Webhooks } from "./context.ts";

export function changeSubscription({ db }: Webhooks) {
  return async ({
    principal,
    id,
    body,
  }: ApiRequest<store.SubscriptionChange, undefined>): Promise<Answer> => {
    const changed = await store.changeSubscription(db, principal.tenantId, id, body);
    if (changed === null) throw notFound("subscription");
    return ok(changed);
  };
}
