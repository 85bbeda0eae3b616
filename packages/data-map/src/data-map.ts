// Describes each table and column of the four databases, and how the erasure of a person treats them (interface §20). The tables of a
// service that have rows of tenants come first, in the order in which a tenant's rows are deleted. Pure.

/**
 * How an erasure treats a column.
 * - `set to null`, `renamed`: the value is removed, or replaced by a name that says so.
 * - `country kept`: of an address in JSON only the country stays, if it is a code of ISO 3166.
 * - `rewritten`: JSON that contains customers or orders; their fields are erased like the columns of their tables.
 * - `emptied`: it becomes an empty text. `rows deleted`: the person's rows are deleted.
 * - `generated`: computed from another column.
 */
export type Erasure =
  | "set to null"
  | "renamed"
  | "country kept"
  | "rewritten"
  | "emptied"
  | "rows deleted"
  | "generated";

/** Columns are separated by blanks. The README says what each class can contain. */
export interface MappedTable {
  /** Absent if no row belongs to a tenant, or another process deletes the rows. */
  readonly kind?: string;
  /** The column with the tenant's id; `tenant_id` by default. */
  readonly tenantColumn?: string;
  readonly plain?: string;
  readonly person?: Readonly<Record<string, Erasure>>;
  readonly staff?: string;
  readonly content?: string;
  readonly chosen?: string;
  readonly secrets?: string;
}

const EVENT = "id event_id aggregate_id type tenant_id occurred_at traceparent size_bytes xid";
const OUTBOX_EVENT = {
  kind: "outbox_event",
  plain: `${EVENT} shard attempts next_try_at last_error parked_at words_bytes`,
  chosen: "request_id",
  staff: "actor",
} as const;
const PUBLISHED_EVENT = {
  kind: "published_event",
  plain: `${EVENT} published_at`,
  chosen: "request_id",
  staff: "actor",
} as const;
const IDEMPOTENCY_RECORD = {
  kind: "idempotency_record",
  plain: "tenant_id route created_at",
  chosen: "key",
  secrets: "fingerprint",
} as const;

const EVENT_BYTES = { kind: "event_bytes", plain: "tenant_id day shard bytes" } as const;

const REPLAY = {
  plain:
    "only_one until after_published_at after_id begun_until before_published_at before_id batch_events not_before",
};
const COMMON = {
  day_tables: { plain: "name key_column key_type days_kept_min" },
  // A digest of an id, which identifies nobody.
  deleted_tenants: { plain: "tenant_digest deleted_at" },
  event_tally: { plain: "only_one tallied_until" },
  kysely_migration: { plain: "name timestamp" },
  kysely_migration_lock: { plain: "id is_locked" },
  migration_promises: { plain: "name works_with" },
  replay: REPLAY,
  restores: { plain: "id at restored_to identity incarnation last_xid last_id" },
} as const satisfies Record<string, MappedTable>;
const ERASED_CUSTOMERS = { plain: "customer_digest erased_at" } as const;
const FIGURES =
  "tenant_id at currency orders total paid refunded to_fulfill unpaid payment_failed to_deliver";

export const dataMap = {
  gateway: {
    identities: {
      kind: "identity",
      plain: "tenant_id user_id issuer linked_at",
      staff: "subject email",
    },
    setup_links: {
      kind: "setup_link",
      plain: "tenant_id user_id created_at expires_at by_operator",
      secrets: "token_hash",
    },
    unfinished_sign_ins: {
      kind: "unfinished_sign_in",
      plain: "tenant_id user_id failed_codes expires_at is_link",
      secrets: "token_hash",
    },
    recovery_codes: { kind: "recovery_code", plain: "tenant_id user_id", secrets: "code_hash" },
    second_factors: {
      kind: "second_factor",
      plain: "tenant_id user_id sealed_with last_step created_at",
      secrets: "secret_sealed",
    },
    sessions: {
      kind: "session",
      plain: "tenant_id id user_id created_at expires_at ended_at last_used_at by_oidc",
      staff: "ip user_agent",
      secrets: "refresh_hash",
    },
    idempotency_records: { ...IDEMPOTENCY_RECORD, staff: "answer" },
    api_keys: {
      kind: "api_key",
      plain:
        "tenant_id id key_id scopes created_by created_at expires_at revoked_at last_used_at rotated_at allowed_addresses",
      chosen: "label",
      secrets: "secret_hash",
    },
    users: {
      kind: "user",
      plain: "tenant_id id role active created_at confirmed_at second_factor_since password_by_operator",
      staff: "email name",
      secrets: "password_hash",
    },
    audit_log: {
      kind: "audit_entry",
      plain: "tenant_id id created_at actor_type actor_id action target_type target_id n hash",
      chosen: "request_id",
      staff: "actor_name changes ip user_agent",
    },
    audit_heads: { kind: "audit_head", plain: "tenant_id n hash at logged_n logged_on" },
    requests: {
      kind: "request",
      plain:
        "tenant_id id created_at method route status code actor_type actor_id duration_ms request_bytes response_bytes",
      chosen: "request_id outcome",
      staff: "actor_name ip",
    },
    missing_audit_entries: {
      kind: "missing_audit_entry",
      plain: "tenant_id entry_id service published_since published_until noticed_at",
    },
    audit_tallies: { plain: "service compared_until asked_at" },
    request_days: { kind: "request_day", plain: "tenant_id day count refused" },
    tenant_usage: {
      kind: "tenant_usage",
      plain: "tenant_id service media_bytes event_bytes bytes_at counts counts_at",
    },
    tenant_modules: { kind: "module", plain: "tenant_id name active" },
    outbox: { ...OUTBOX_EVENT, content: "data" },
    published_events: { ...PUBLISHED_EVENT, content: "data" },
    event_bytes: EVENT_BYTES,
    // The tenant can be found until everything else is deleted.
    tenants: {
      kind: "tenant",
      tenantColumn: "id",
      plain:
        "id created_at suspended_at deletion_started_at media_bytes_max event_bytes_max near_quotas require_second_factor password_sign_in currency time_zone locale",
      content: "slug name address",
    },
    operator_commands: { plain: "id at command exit_status", staff: "actor", chosen: "arguments" },
    erased_customers: ERASED_CUSTOMERS,
    ...COMMON,
  },
  orders: {
    idempotency_records: { ...IDEMPOTENCY_RECORD, person: { answer: "rewritten" } },
    order_words: { kind: "order_word", plain: "tenant_id created_at order_id", chosen: "word" },
    // The order's lines stay, for the invoice.
    order_line_rows: {
      kind: "order_line",
      plain: "tenant_id order_id position quantity unit_price subtotal tax_amount product_id variant_id",
      content: "sku name description tax_lines",
    },
    order_changes: {
      kind: "order_change",
      plain: "tenant_id order_id version type status payment_status event_id created_at",
      chosen: "request_id",
      staff: "actor",
      // Reasons are erased; references stay.
      person: { details: "rewritten" },
    },
    orders: {
      kind: "order",
      plain: `tenant_id id status payment_status customer_id channel currency subtotal shipping_total discount_total tax_total total
              paid_total refunded_total refunded_quantities version created_at updated_at placed_at placed_event_id`,
      content: "lines",
      // `shipments` and `search_text` have numbers, external ids, tracking numbers and carriers, and nothing about the customer.
      chosen:
        "order_number property_id tracking_number carrier shipments placed_request_id external_id search_text",
      staff: "placed_by",
      person: {
        shipping_address: "country kept",
        billing_address: "country kept",
        customer_note: "set to null",
        internal_note: "set to null",
        metadata: "set to null",
        cancel_reason: "set to null",
      },
    },
    order_deltas: { kind: "order_delta", plain: `${FIGURES} id` },
    order_totals: { kind: "order_total", plain: FIGURES },
    order_counters: { kind: "order_counter", plain: `${FIGURES} next_number dated_since` },
    customer_words: {
      kind: "customer_word",
      plain: "tenant_id customer_id",
      person: { word: "rows deleted" },
    },
    erasures: {
      kind: "erasure",
      // While a step runs, `progress` contains words of the search.
      plain: "tenant_id id customer_id traceparent audit_event_id progress rows created_at finished_at",
      chosen: "request_id",
      staff: "actor",
    },
    customers: {
      kind: "customer",
      plain: "tenant_id id created_at version updated_at erased_at",
      person: {
        name: "renamed",
        email: "set to null",
        email_lower: "generated",
        phone: "set to null",
        external_id: "set to null",
        metadata: "set to null",
        search_text: "emptied",
      },
    },
    outbox: { ...OUTBOX_EVENT, person: { data: "rewritten" } },
    published_events: { ...PUBLISHED_EVENT, person: { data: "rewritten" } },
    event_bytes: EVENT_BYTES,
    erased_customers: ERASED_CUSTOMERS,
    ...COMMON,
  },
  content: {
    idempotency_records: { ...IDEMPOTENCY_RECORD, content: "answer" },
    redirects: {
      kind: "redirect",
      plain: "tenant_id id type created_at",
      content: "from_path to_target to_path",
    },
    entry_slugs: { kind: "entry_slug", plain: "tenant_id type locale entry_id", content: "slug" },
    entry_revisions: {
      kind: "entry_revision",
      plain: "tenant_id entry_id id revision created_at",
      staff: "actor",
      content: "slug data",
    },
    entries: {
      kind: "entry",
      plain: `tenant_id id type locale revision published_revision published_at publish_at scheduled_revision schedule_try_at
              schedule_error created_at updated_at version`,
      staff: "scheduled_by",
      content: "slug",
    },
    content_types: {
      kind: "content_type",
      plain: "tenant_id id version created_at",
      content: "slug name fields",
    },
    media: {
      kind: "media",
      plain: `tenant_id id content_type size_bytes sha256 status failure_reason width height variants created_at processing_until
              processing_attempts links_ended_count`,
      staff: "uploaded_by",
      content: "filename alt_text",
    },
    media_bytes: { kind: "media_bytes", plain: "tenant_id bytes" },
    outbox: { ...OUTBOX_EVENT, content: "data" },
    published_events: { ...PUBLISHED_EVENT, content: "data" },
    event_bytes: EVENT_BYTES,
    // Files to delete. The service deletes the rows with the files.
    storage_leftovers: { plain: "tenant_id media_id remove_at" },
    ...COMMON,
  },
  // Subscriptions come first, because without them nothing creates, restarts or sends a delivery. The log comes after `deliveries`,
  // because rows move from there to the log. Triggers write former standings and targets when subscriptions are deleted.
  webhooks: {
    idempotency_records: { ...IDEMPOTENCY_RECORD, content: "answer" },
    replays: {
      kind: "replay",
      plain: `tenant_id id subscription_id include since until narrowed status matched requeued skipped after_at after_id created_at
              finished_at has_work created_xid`,
    },
    listeners: {
      kind: "listener",
      plain: "tenant_id subscription_id expires_in_hours expires_at has_expired",
    },
    notice_messages: {
      kind: "notice_message",
      plain: "tenant_id id notice_id change channel attempt_count created_at next_attempt_at",
      content: "notice",
    },
    notice_destinations: {
      kind: "notice_destination",
      plain: "tenant_id kinds secret_preview version changed_at",
      staff: "url emails",
      secrets: "secret_sealed",
    },
    endpoints: {
      kind: "endpoint",
      plain: "tenant_id subscription_id window_size proven down",
      content: "origin",
    },
    subscriptions: {
      kind: "subscription",
      plain: `tenant_id id events active secret_preview consecutive_failures last_success_at last_failure_at last_error created_at
              previous_secret_until version held resumed_at max_per_second max_in_flight held_until failing_since down_since paced_until
              restrained payload payload_version`,
      content: "name url header_names filter",
      secrets: "secret_sealed previous_secret_sealed headers_sealed",
    },
    notices: {
      kind: "notice",
      plain: "tenant_id id kind subscription_id created_at closed_at acknowledged_at facts seen_at about",
      content: "subject",
      staff: "acknowledged_by",
    },
    reconciliations: {
      kind: "reconciliation",
      plain: "tenant_id subscription_id requested_at after_created_at after_id advanced_at",
    },
    deliveries: {
      kind: "open_delivery",
      plain: `tenant_id id subscription_id event_id type status attempt_count generation created_at next_attempt_at enqueued_at
              locked_until queue_state replay_id before_replay leased_again is_thin`,
    },
    delivery_log: {
      kind: "closed_delivery",
      plain: `tenant_id id subscription_id event_id type status attempt_count generation created_at completed_at outcome replay_id`,
    },
    dead_letters: {
      kind: "dead_letter",
      plain: `tenant_id delivery_id subscription_id event_id type attempts generation created_at failed_at reason published_at`,
    },
    attempts: {
      kind: "attempt",
      plain: `tenant_id delivery_id generation attempt at duration_ms outcome status_code response_digest subscription_version
              subscription_id is_thin is_reused phases is_of_order`,
      content: "address",
    },
    // The responses of receivers.
    response_bodies: { kind: "response_body", plain: "tenant_id digest day", content: "body" },
    // The event identifies an order, and no person. Events of customers never arrive.
    events: {
      kind: "event",
      plain:
        "tenant_id id type occurred_at received_at matched resource_id is_test traceparent resource_version filtered",
      chosen: "request_id",
      content: "data facets subject subject_words",
    },
    received_bytes: { kind: "received_bytes", plain: "tenant_id day part bytes" },
    missing_events: {
      kind: "missing_event",
      plain: "tenant_id event_id service published_since published_until noticed_at",
    },
    former_standings: {
      kind: "former_standing",
      plain: "tenant_id window_size proven down kept_at",
      content: "origin",
    },
    former_targets: {
      kind: "former_target",
      plain: "tenant_id subscription_id version replaced_at",
      content: "url header_names",
    },
    outbox: { ...OUTBOX_EVENT, content: "data" },
    published_events: { ...PUBLISHED_EVENT, content: "data" },
    event_bytes: EVENT_BYTES,
    suspended_tenants: { kind: "suspension", plain: "tenant_id suspended_at" },
    dispatchers: { plain: "id seen_at" },
    tallies: { plain: "service compared_until unpublished_since" },
    offered_types: { plain: "type since" },
    tally_gaps: { plain: "service since until noticed_at" },
    ...COMMON,
  },
} as const satisfies Record<string, Record<string, MappedTable>>;

export type ServiceName = keyof typeof dataMap;

/** A table with rows of tenants, for the operator's export and deletion of a tenant (interface §9). */
export interface TenantTable {
  readonly name: string;
  readonly kind: string;
  readonly tenantColumn: string;
  /** Columns that archives leave out. */
  readonly secrets: readonly string[];
}

/** In the order in which the operator deletes a tenant. */
export const tenantTables: Readonly<Record<ServiceName, readonly TenantTable[]>> = {
  gateway: tablesOf(dataMap.gateway),
  orders: tablesOf(dataMap.orders),
  content: tablesOf(dataMap.content),
  webhooks: tablesOf(dataMap.webhooks),
};

function tablesOf(tables: Readonly<Record<string, MappedTable>>): TenantTable[] {
  return Object.entries(tables).flatMap(([name, { kind, tenantColumn = "tenant_id", secrets }]) =>
    kind === undefined ? [] : [{ name, kind, tenantColumn, secrets: columnsIn(secrets) }],
  );
}

/** All columns of a table, in no particular order. */
export function columnsOf({ plain, person = {}, staff, content, chosen, secrets }: MappedTable): string[] {
  return [...[plain, staff, content, chosen, secrets].flatMap(columnsIn), ...Object.keys(person)];
}

function columnsIn(columns = ""): string[] {
  return columns.split(/\s+/).filter(Boolean);
}
