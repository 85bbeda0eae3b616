// The tables and columns that Kysely's builder names; the migrations define all of them.

import type { OutboxTable } from "@tradepost/messaging";
import type * as postgres from "@tradepost/postgres";
import type { ColumnType, Generated } from "kysely";
import type { DeliveryStatus, OpenStatus, Outcome } from "./delivery-status.ts";
import type { EventFilter, Facets, FilterField } from "./event-filter.ts";

export type Tenant = postgres.Tenant<Tables>;

export type Phases = Readonly<Record<"dnsMs" | "connectMs" | "tlsMs" | "firstByteMs", number | null>>;

/** What a subscription gets of an event's data (interface §24). */
export type Payload = "full" | "thin";

type CreatedAt = ColumnType<Date, never, never>;

interface OfDelivery {
  tenant_id: string;
  subscription_id: string;
  event_id: string;
  type: string;
}

export interface Tables {
  subscriptions: {
    tenant_id: string;
    id: string;
    name: string;
    url: string | null;
    events: string[];
    active: Generated<boolean>;
    /** Inactive only because its tenant is suspended. */
    held: Generated<boolean>;
    secret_sealed: Buffer;
    secret_preview: string;
    consecutive_failures: Generated<number>;
    last_success_at: ColumnType<Date | null, never, Date>;
    last_failure_at: ColumnType<Date | null, never, Date>;
    last_error: ColumnType<string | null, never, string>;
    created_at: CreatedAt;
    previous_secret_sealed: ColumnType<Buffer | null, never, Buffer | null>;
    previous_secret_until: ColumnType<Date | null, never, Date | null>;
    /** Counted by a trigger. */
    version: ColumnType<number, never, never>;
    header_names: Generated<string[]>;
    headers_sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
    max_per_second: ColumnType<number | null, number | null | undefined, number | null>;
    max_in_flight: ColumnType<number | null, number | null | undefined, number | null>;
    held_until: ColumnType<Date | null, never, Date | null>;
    down_since: ColumnType<Date | null, never, Date | null>;
    filter: ColumnType<EventFilter | null, string | null | undefined, string | null>;
    payload_version: Generated<1>;
    payload: Generated<Payload>;
  };
  notices: {
    tenant_id: string;
    id: string;
    kind: string;
    subscription_id: string | null;
    subject: string;
    created_at: CreatedAt;
    closed_at: ColumnType<Date | null, never, Date>;
    acknowledged_at: ColumnType<Date | null, never, Date>;
    acknowledged_by: ColumnType<object | null, never, string>;
    facts: ColumnType<object, never, string>;
  };
  notice_destinations: {
    tenant_id: string;
    url: string | null;
    emails: string[];
    kinds: string[] | null;
    secret_sealed: Generated<Buffer | null>;
    secret_preview: Generated<string | null>;
  };
  /** Unsent messages. */
  notice_messages: { tenant_id: string; id: string };
  /** In addition to their subscriptions' columns. */
  listeners: {
    tenant_id: string;
    subscription_id: string;
    expires_in_hours: number;
    expires_at: Date;
    has_expired: Generated<boolean>;
  };
  events: {
    tenant_id: string;
    id: string;
    type: string;
    occurred_at: Date;
    request_id: string;
    data: ColumnType<unknown, string, never>;
    received_at: CreatedAt;
    matched: number;
    resource_id: string | null;
    resource_version: number | null;
    facets: ColumnType<Facets | null, never, never>;
    subject: string | null;
    /** By subscription: the fields of its filter that the event did not match. */
    filtered: ColumnType<Readonly<Record<string, FilterField[]>> | null, never, never>;
    /** An example that an admin sent. */
    is_test: Generated<boolean>;
    traceparent: string | null;
  };
  deliveries: OfDelivery & {
    id: string;
    status: OpenStatus;
    created_at: CreatedAt;
    next_attempt_at: Date | null;
    queue_state: "waiting" | "queued" | "delayed" | null;
    enqueued_at: Date | null;
    is_thin: true | null;
  };
  /** Deliveries that have ended, partitioned by day. */
  delivery_log: {
    tenant_id: string;
    id: string;
    /** Null unless it failed because it waited beyond a bound. */
    outcome: "expired" | "overflow" | null;
  };
  /** `deliveries` and `delivery_log`. */
  all_deliveries: OfDelivery & {
    id: string;
    status: DeliveryStatus;
    attempt_count: number;
    generation: number;
    created_at: CreatedAt;
    next_attempt_at: Date | null;
    completed_at: Date | null;
    replay_id: string | null;
  };
  dead_letters: OfDelivery & {
    delivery_id: string;
    generation: number;
    failed_at: Date;
    reason: string;
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
    subscription_version: number;
    is_thin: true | null;
    address: string | null;
    is_reused: boolean | null;
    phases: Phases | null;
  };
  offered_types: { type: string; since: ColumnType<Date, never, never> };
  /** Subscriptions whose open deliveries are still being updated. */
  reconciliations: {
    tenant_id: string;
    subscription_id: string;
    requested_at: CreatedAt;
    after_created_at: ColumnType<never, never, Date>;
    after_id: Generated<string>;
    advanced_at: ColumnType<Date, never, Date>;
  };
  replays: {
    tenant_id: string;
    id: string;
    subscription_id: string;
    include: "failed" | "missing" | "all";
    since: Date;
    until: Date;
    /** A `Narrowing` as JSON. */
    narrowed: ColumnType<object, string, never>;
    status: Generated<"running" | "finished" | "cancelled">;
    matched: number;
    requeued: Generated<number>;
    skipped: Generated<number>;
    after_at: ColumnType<Date, never, string>;
    after_id: Generated<string>;
    created_at: CreatedAt;
    finished_at: ColumnType<Date | null, never, Date>;
    has_work: Generated<boolean>;
  };
  outbox: OutboxTable;
}
