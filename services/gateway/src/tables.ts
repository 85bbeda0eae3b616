// The types of the gateway's tables for Kysely. The migrations define the tables.

import type { OutboxTable } from "@tradepost/messaging";
import type * as postgres from "@tradepost/postgres";
import type { ColumnType, Generated } from "kysely";

export type Tenant = postgres.Tenant<Tables>;

type CreatedAt = ColumnType<Date, never, never>;

export interface Tables {
  outbox: OutboxTable;
  tenants: {
    id: string;
    slug: string;
    name: string;
    created_at: CreatedAt;
    suspended_at: ColumnType<Date | null, never, Date | null>;
    deletion_started_at: ColumnType<Date | null, never, Date>;
    /** Null for the default of the settings; 0 for no quota. */
    media_bytes_max: ColumnType<string | null, never, number | null>;
    event_bytes_max: ColumnType<string | null, never, number | null>;
    near_quotas: ColumnType<string[], never, string[]>;
    require_second_factor: Generated<boolean>;
    password_sign_in: Generated<boolean>;
    currency: Generated<string>;
    time_zone: Generated<string>;
    locale: Generated<string>;
    address: ColumnType<Readonly<Record<string, string>> | null, never, string | null>;
  };
  tenant_modules: { tenant_id: string; name: string; active: boolean };
  users: {
    tenant_id: string;
    id: string;
    email: string;
    name: string;
    role: "viewer" | "editor" | "admin" | "owner";
    active: Generated<boolean>;
    password_hash: string;
    created_at: CreatedAt;
    /** Null until the user has signed in, or set a password with a link. */
    confirmed_at: ColumnType<Date | null, Date | null | undefined, Date>;
    second_factor_since: ColumnType<Date | null, never, Date | null>;
    password_by_operator: Generated<boolean>;
  };
  identities: {
    tenant_id: string;
    user_id: string;
    issuer: string;
    subject: string;
    email: string | null;
    linked_at: ColumnType<Date, Date | undefined, Date>;
  };
  second_factors: {
    tenant_id: string;
    user_id: string;
    secret_sealed: Buffer;
    sealed_with: string;
    last_step: ColumnType<string, never, number>;
    created_at: CreatedAt;
  };
  recovery_codes: { tenant_id: string; user_id: string; code_hash: Buffer };
  unfinished_sign_ins: {
    tenant_id: string;
    user_id: string;
    token_hash: Buffer;
    failed_codes: Generated<number>;
    expires_at: Date;
    is_link: Generated<boolean>;
  };
  /** `@tradepost/idempotency` writes it. */
  idempotency_records: {
    tenant_id: string;
    route: string;
    key: string;
    fingerprint: Buffer;
    answer: unknown;
  };
  setup_links: {
    tenant_id: string;
    user_id: string;
    token_hash: Buffer;
    created_at: ColumnType<Date, never, Date>;
    expires_at: Date;
    by_operator: Generated<boolean>;
  };
  sessions: {
    tenant_id: string;
    id: string;
    user_id: string;
    refresh_hash: Buffer;
    created_at: CreatedAt;
    expires_at: Date;
    ended_at: ColumnType<Date | null, never, Date>;
    last_used_at: ColumnType<Date | null, never, Date>;
    ip: string | null;
    user_agent: string | null;
    by_oidc: Generated<boolean>;
  };
  api_keys: {
    tenant_id: string;
    id: string;
    key_id: string;
    secret_hash: Buffer;
    label: string;
    scopes: string[];
    created_by: string;
    created_at: CreatedAt;
    expires_at: Date | null;
    allowed_addresses: string[] | null;
    rotated_at: ColumnType<Date | null, never, Date>;
    revoked_at: ColumnType<Date | null, never, Date>;
    last_used_at: ColumnType<Date | null, never, Date>;
  };
  operator_commands: {
    id: string;
    at: CreatedAt;
    actor: string;
    command: string;
    arguments: string[];
    exit_status: ColumnType<number | null, never, number>;
  };
  /** Append-only: the service's role can only insert and select. */
  audit_log: {
    tenant_id: string;
    id: string;
    created_at: ColumnType<Date, Date, never>;
    actor_type: string;
    actor_id: string;
    actor_name: string;
    action: string;
    target_type: string;
    target_id: string;
    changes: ColumnType<unknown, string, never>;
    request_id: string;
    ip: string | null;
    user_agent: string | null;
    /** A trigger writes these two. */
    n: ColumnType<string, never, never>;
    hash: ColumnType<Buffer, never, never>;
  };
  /** The last entries of the tenants' chains. The trigger writes them. */
  audit_heads: {
    tenant_id: string;
    n: string;
    hash: Buffer;
    at: Date | null;
    logged_n: ColumnType<string, never, string>;
    logged_on: ColumnType<Date | null, never, Date>;
  };
}
