// GET /v1/webhooks/deliveries: the delivery log, newest first, by subscription, status and type.
import { type Answer, type ApiRequest, cursorPage, listed, pageQuery } from "@tradepost/http";
import { z } from "zod";
import * as store from "../delivery/delivery-store.ts";
import type { Webhooks } from "./context.ts";

const statuses = ["pending", "retrying", "delivered", "failed", "paused", "cancelled"] as const;

export const deliveriesQuery = z.strictObject({
  ...pageQuery,
  subscriptionId: z.uuid("must be a UUID").optional(),
  status: z.enum(statuses, `must be one of ${statuses.join(", ")}`).optional(),
  type: z.string().max(255).optional(),
});

export function listDeliveries({ db }: Webhooks) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof deliveriesQuery>>): Promise<Answer> =>
    listed(cursorPage(await store.listDeliveries(db, principal.tenantId, query), query.limit));
}
