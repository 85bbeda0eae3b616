// POST /v1/webhooks/subscriptions/{id}/recover: what failed within a time is sent again, after the receiver is mended.
import { type ApiRequest, type ApiResponse, accepted, notFound } from "@tradepost/http";
import { z } from "zod";
import { countFailed, createRecovery } from "../recovery/recovery-store.ts";
import type { Webhooks } from "./context.ts";

const time = z.iso
  .datetime({
    offset: true,
    // What is no time is not compared.
    abort: true,
    message: "must be an ISO 8601 time with its offset: 2026-01-31T00:00:00Z",
  })
  .transform((text) => new Date(text));

export const recoverInput = z
  .strictObject({
    since: time,
    until: time.optional(),
    dryRun: z.boolean("must be true or false").default(false),
  })
  .refine(({ since, until }) => until === undefined || since < until, {
    path: ["until"],
    message: "must be after since",
  });

export function recover({ db, recoveries, onCommit }: Webhooks) {
  return async (request: ApiRequest<z.output<typeof recoverInput>, undefined>): Promise<ApiResponse> => {
    const { id: subscriptionId, principal, body } = request;
    const of = { tenantId: principal.tenantId, subscriptionId };
    if (body.dryRun) {
      const matched = await countFailed(db, of, body);
      if (matched === null) throw notFound("subscription");
      return accepted({ id: null, matched, requeued: 0 });
    }
    const recovery = await createRecovery(db, of, body, request);
    if (recovery === null) throw notFound("subscription");
    onCommit();
    return accepted({ ...recovery, requeued: await recoveries.run(recovery.id) });
  };
}
