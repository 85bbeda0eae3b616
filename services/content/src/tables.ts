// The tables for Kysely, and their JSON columns; the migrations define them.

import type { contentType } from "@tradepost/event-catalog";
import type { Cause, OutboxTable } from "@tradepost/messaging";
import type * as postgres from "@tradepost/postgres";
import type { ColumnType, Generated } from "kysely";
import type { z } from "zod";

export type Tenant = postgres.Tenant<Tables>;

export type ContentType = z.output<typeof contentType>;
export type Field = ContentType["fields"][number];

/** Its URL consists of the asset's id and its name. */
export interface Variant {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** The cause of a change that happens later, such as a scheduled publication. */
export interface StoredCause {
  readonly actor: Cause["principal"]["actor"];
  readonly requestId: string;
  readonly traceparent: string;
}

type CreatedAt = ColumnType<Date, never, never>;
type Json<Value> = ColumnType<Value, string, string>;

export interface Tables {
  redirects: {
    tenant_id: string;
    id: string;
    from_path: string;
    to_target: string;
    to_path: string | null;
    type: number;
    created_at: CreatedAt;
  };
  content_types: {
    tenant_id: string;
    id: string;
    slug: string;
    name: string;
    fields: Json<Field[]>;
    version: Generated<number>;
    created_at: CreatedAt;
  };
  entries: {
    tenant_id: string;
    id: string;
    type: string;
    locale: string;
    slug: string;
    revision: number;
    published_revision: number | null;
    published_at: Date | null;
    publish_at: Date | null;
    scheduled_revision: number | null;
    scheduled_by: ColumnType<StoredCause | null, never, string | null>;
    schedule_try_at: Date | null;
    schedule_error: string | null;
    created_at: CreatedAt;
    updated_at: ColumnType<Date, never, Date>;
    version: ColumnType<number, never, never>;
  };
  entry_revisions: {
    tenant_id: string;
    entry_id: string;
    id: string;
    revision: number;
    slug: string;
    data: Json<Record<string, unknown>>;
    actor: Json<StoredCause["actor"]>;
    created_at: CreatedAt;
  };
  entry_slugs: { tenant_id: string; type: string; locale: string; slug: string; entry_id: string };
  media: {
    tenant_id: string;
    id: string;
    filename: string;
    alt_text: string | null;
    content_type: string;
    size_bytes: ColumnType<string, number, never>;
    sha256: string;
    status: "uploaded" | "processing" | "ready" | "failed";
    failure_reason: string | null;
    width: number | null;
    height: number | null;
    variants: Json<Variant[]>;
    created_at: CreatedAt;
    uploaded_by: Json<StoredCause>;
    processing_until: Date | null;
    processing_attempts: Generated<number>;
    links_ended_count: Generated<number>;
  };
  storage_leftovers: { tenant_id: string; media_id: string; remove_at: Date };
  outbox: OutboxTable;
}
