import { arrayParametersOf, arraysOf, columnsOf, type RowColumns } from "@tradepost/postgres";
import type { Addressed } from "../endpoint/endpoint.ts";
import { IN_TURN, IS_RECORDED_HEALTHY, IS_SUCCESS_DUE } from "../statement-parts.ts";
import type { Job } from "./jobs.ts";
import type { Facts } from "./request.ts";

export interface AttemptedDelivery extends Job {
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly requestId: string;
  readonly traceparent: string | null;
  readonly type: string;
  readonly subscriptionVersion: number;
  readonly isThin?: boolean | null;
  /** The attempt is not recorded if the delivery has been leased again since. */
  readonly leasedAt?: Date;
}

export interface ClaimedDelivery extends AttemptedDelivery, Facts, Addressed {
  /** At the claim, its subscription had succeeded and had no failures since. */
  readonly isRecordedHealthy: boolean;
  /** Whether a success is to be noted in its subscription: at the claim, the latest was at least 10 seconds old. */
  readonly isSuccessDue: boolean;
  /** Since its creation, in ms; 0 if it is attempted at once. */
  readonly waitedMs: number;
  /** Who delayed it: the tenant by a pause, or the endpoint by a failure. */
  readonly heldBy: HeldBy;
}
export type HeldBy = "no" | "endpoint" | "tenant";

export type ClaimedRow = Omit<ClaimedDelivery, keyof EventOfDelivery>;

export type EventOfDelivery = Pick<
  ClaimedDelivery,
  "occurredAt" | "requestId" | "traceparent" | "data" | "resourceId" | "resourceVersion"
>;

export interface Reserved {
  readonly endpoint: { readonly tenantId: string; readonly subscriptionId: string };
  readonly count: number;
}

export interface Claim {
  readonly reserved: readonly Reserved[];
  readonly lockMs: number;
}

export const wantedColumns: RowColumns<Reserved> = {
  tenant_id: ["uuid", ({ endpoint }) => endpoint.tenantId],
  subscription_id: ["uuid", ({ endpoint }) => endpoint.subscriptionId],
  count: ["integer", ({ count }) => count],
};

export const CLAIM_PARAMETERS = {
  wanted: arraysOf(wantedColumns, ({ reserved }: Claim) => reserved),
  claim: { lock_ms: ({ lockMs }: Claim) => lockMs },
};

/**
 * Common table expressions. While a resumed subscription is being reconciled, deliveries younger than the reconciliation's progress
 * wait, so that older ones go first. Skips rows that another process is claiming, and a delivery whose attempt is still in progress
 * after a pause and a resume. With `isRestrained`, the caller has locked the subscriptions.
 */
export function claimed({ isRestrained }: { isRestrained: boolean }): string {
  return `
  wanted as (
    select * from unnest(${arrayParametersOf("wanted", wantedColumns)}) as wanted (${columnsOf(wantedColumns)})
  ), following as (
    select waiting.tid, version, url, secret_sealed, headers_sealed,
           case when previous_secret_until > now() then previous_secret_sealed end as previous_secret_sealed,
           ${isRestrained ? "false" : IS_RECORDED_HEALTHY} as is_recorded_healthy, ${IS_SUCCESS_DUE} as is_success_due,
           resumed_at, last_failure_at
      from wanted
     cross join lateral (
       select subscriptions.*, least(now(), after_created_at) as due_until
         from subscriptions
         left join reconciliations on reconciliations.tenant_id = subscriptions.tenant_id
                                  and reconciliations.subscription_id = subscriptions.id
        where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.subscription_id
              ${isRestrained ? "" : "and active and url is not null and not restrained"}
        limit 1
     ) subscription
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = wanted.tenant_id and deliveries.subscription_id = wanted.subscription_id
          and queue_state = 'waiting' and status in ('pending', 'retrying') and next_attempt_at <= due_until
          and (locked_until is null or locked_until < now())
        order by ${IN_TURN}
        limit wanted.count
          for no key update skip locked
     ) waiting
  ), claimed as (
    update deliveries
       set queue_state = 'queued', enqueued_at = now(), locked_until = now() + $claim.lock_ms * interval '1 ms'
      from following
     where deliveries.ctid = following.tid
    returning ${CLAIMED_COLUMNS}
  )`;
}

const CLAIMED_COLUMNS = `deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId", deliveries.generation,
              deliveries.attempt_count + 1 as attempt, deliveries.subscription_id as "subscriptionId",
              deliveries.event_id as "eventId", deliveries.type, version as "subscriptionVersion", url, secret_sealed as "secretSealed",
              previous_secret_sealed as "previousSecretSealed", headers_sealed as "headersSealed",
              is_recorded_healthy as "isRecordedHealthy", is_success_due as "isSuccessDue", deliveries.replay_id as "replayId",
              deliveries.is_thin as "isThin",
              extract(epoch from now() - deliveries.created_at)::float * 1000 as "waitedMs",
              case when deliveries.created_at < resumed_at then 'tenant'
                   when deliveries.created_at < last_failure_at then 'endpoint' else 'no' end as "heldBy"`;
