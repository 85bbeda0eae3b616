// The routes with which a listener's client leases deliveries, reports the results and has deliveries sent again (interface §12).
import { type ApiRequest, accepted, data, isUuid, notFound, ok, required, route } from "@tradepost/http";
import { insertRecord, withIdempotencyKey, withKeyOfRepeatable } from "@tradepost/idempotency";
import { z } from "zod";
import { delivery, findDelivery, restarts } from "../delivery/delivery.ts";
import { EDIT, type RouteContext } from "../route-context.ts";
import type { Leases } from "./leases.ts";
import {
  leaseInput,
  type ReportedResult,
  readResult,
  resultWithoutResponse,
  resultWithResponse,
} from "./listener-input.ts";
import { isListener, requireSight } from "./listener-store.ts";
import type { ReportResult } from "./report-result.ts";

interface LeaseContext extends Pick<RouteContext, "tenants" | "writers" | "onCommit"> {
  readonly leases: Pick<Leases, "lease">;
  readonly reportResult: ReportResult;
  readonly onLeasable: (listenerIds: readonly string[]) => void;
}

const tag = "Listeners";

const leasedDelivery = z
  .strictObject({
    deliveryId: z.uuid(),
    attempt: z.int().min(1),
    leaseId: z.string().describe("Names the lease in the result."),
    leasedUntil: z.iso.datetime(),
    headers: z.record(z.string(), z.string()).describe("The headers of the request, with its signatures."),
    body: z.string().describe("The body of the request; its UTF-8 bytes are signed."),
  })
  .meta({ id: "LeasedDelivery", description: "A whole signed request, to be made before the lease ends." });

const lease = ({ tenants, leases }: LeaseContext) =>
  route("POST /v1/webhooks/listeners/:id/lease", {
    ...EDIT,
    body: leaseInput,
    bodyIsOptional: true,
    about: {
      ...{ id: "leaseDeliveries", tag, summary: "Lease the deliveries that are due, oldest first" },
      description:
        "Waits up to `waitSeconds` for the first one. A lease lasts 30 seconds; afterwards the delivery can be leased again as the same attempt. Each lease moves the listener's `expiresAt`.",
      responses: { 200: data(z.array(leasedDelivery)) },
    },
    handle: async ({ principal, id, body: wanted, raw }) => {
      await requireSight(tenants.of(principal.tenantId), id, principal);
      const leased = await leases.lease({ tenantId: principal.tenantId, listenerId: id }, wanted, raw.socket);
      if (leased === null) throw notFound("listener");
      const shown = leased.map(({ body, ...delivery }) => ({ ...delivery, body: body.toString("utf8") }));
      return ok(shown, { "cache-control": "no-store" });
    },
  });

const report = ({ writers, reportResult }: LeaseContext) =>
  route("POST /v1/webhooks/listeners/:id/deliveries/:deliveryId/result", {
    ...EDIT,
    module: null,
    isIdempotent: true,
    body: readResult,
    about: {
      ...{ id: "reportResult", tag, summary: "Report the result of an attempt at a leased delivery" },
      description:
        "A status from 200 to 299 acknowledges the delivery; anything else fails the attempt. The same result again changes nothing. Once another client has leased the delivery, it is 409 `lease_lost`.",
      body: z.union([resultWithResponse, resultWithoutResponse]),
      responses: { 200: data(delivery) },
      errors: ["conflict", "lease_lost"],
    },
    handle: withKeyOfRepeatable(writers, async (tenant, request: ApiRequest<ReportedResult, undefined>) => {
      const { id: listenerId, body, principal } = request;
      await requireSight(tenant, listenerId, principal);
      const deliveryId = deliveryIdIn(request);
      const { tenantId } = tenant;
      if (!(await reportResult({ tenantId, listenerId }, deliveryId, body))) throw notFound("delivery");
      return ok(required(await findDelivery(tenant, deliveryId), "delivery"));
    }),
  });

/** Whoever may lease a listener's deliveries may redeliver them; an admin restarts others (`delivery-routes.ts`). */
const redeliver = ({ writers, onCommit, onLeasable }: LeaseContext) =>
  route("POST /v1/webhooks/listeners/:id/deliveries/:deliveryId/redeliver", {
    ...EDIT,
    isIdempotent: true,
    about: {
      ...{ id: "redeliverToListener", tag, summary: "Redeliver a delivery of a listener" },
      description: "It can be leased again, from attempt 1 of the next round.",
      responses: { 202: data(delivery) },
      errors: ["conflict"],
    },
    handle: withIdempotencyKey(writers, async (tenant, request: ApiRequest<undefined, undefined>) => {
      const { id: listenerId, idempotencyKey, principal } = request;
      await requireSight(tenant, listenerId, principal);
      const deliveryId = deliveryIdIn(request);
      const response = await tenant.transaction(async (tx) => {
        if (!(await isListener(tx, listenerId))) throw notFound("listener");
        const before = await findDelivery(tx, deliveryId);
        if (before?.subscriptionId !== listenerId) throw notFound("delivery");
        const redelivered = accepted(await restarts.redeliver(tx, deliveryId, request));
        await insertRecord(tx, idempotencyKey, redelivered);
        return redelivered;
      });
      onCommit();
      onLeasable([listenerId]);
      return response;
    }),
  });

export const leaseRoutes = [lease, report, redeliver];

function deliveryIdIn({ params }: Pick<ApiRequest<undefined, undefined>, "params">): string {
  const id = params.deliveryId?.toLowerCase() ?? "";
  if (!isUuid(id)) throw notFound("delivery");
  return id;
}
