// The tables of the webhooks service as Kysely sees them; the migrations are the truth.
import type { OutboxTable } from "@tradepost/messaging";
import type { ColumnType, Generated } from "kysely";
import type { DeliveryStatus, Outcome } from "./delivery/delivery.ts";

type CreatedAt = ColumnType<Date, never, never>;

export interface Tables {
  subscriptions: {
    tenant_id: string;
    id: string;
    name: string;
    url: string;
    events: string[];
    active: Generated<boolean>;
    secret_sealed: Buffer;
    secret_preview: string;
    consecutive_failures: Generated<number>;
    last_success_at: ColumnType<Date | null, never, Date>;
    last_failure_at: ColumnType<Date | null, never, Date>;
    last_error: ColumnType<string | null, never, string>;
    created_at: CreatedAt;
  };
  events: {
    tenant_id: string;
    id: string;
    type: string;
    occurred_at: Date;
    request_id: string;
    data: ColumnType<unknown, string, never>;
    received_at: CreatedAt;
  };
  deliveries: {
    tenant_id: string;
    id: string;
    subscription_id: string;
    event_id: string;
    type: string;
    status: DeliveryStatus;
    attempt_count: Generated<number>;
    generation: Generated<number>;
    created_at: CreatedAt;
    next_attempt_at: Date | null;
    place: "waiting" | "queued" | "delayed" | null;
    completed_at: ColumnType<Date | null, never, Date | null>;
    enqueued_at: Date | null;
    locked_until: ColumnType<Date | null, never, Date | null>;
    dead_since: ColumnType<Date | null, never, Date | null>;
  };
  attempts: {
    tenant_id: string;
    delivery_id: string;
    generation: number;
    attempt: number;
    at: Date;
    duration_ms: number;
    outcome: Outcome;
    status_code: number | null;
    response_body: string | null;
  };
  /** Entries for the tenants' audit log. */
  outbox: OutboxTable;
}
