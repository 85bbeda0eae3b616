import type { customer } from "@tradepost/event-catalog";
import { type ApiResponse, created, etagOf, ok } from "@tradepost/http";
import { VerbatimJson } from "@tradepost/json";
import type { Selectable } from "kysely";
import type { z } from "zod";
import type { Tables } from "../tables.ts";

type Shown = z.output<typeof customer>;

/** As the API shows it, with times and JSON as they are stored. */
export interface Customer extends Readonly<Omit<Shown, "metadata" | "createdAt" | "updatedAt" | "erasedAt">> {
  readonly metadata?: VerbatimJson | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly erasedAt?: Date | undefined;
}

export type CustomerRow = Omit<
  Selectable<Tables["customers"]>,
  "tenant_id" | "email_lower" | "metadata" | "search_text"
> & {
  metadata: string | null;
};

export function customerOf(row: CustomerRow): Customer {
  return {
    id: row.id,
    name: row.name,
    ...(row.email !== null && { email: row.email }),
    ...(row.phone !== null && { phone: row.phone }),
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...(row.metadata !== null && { metadata: new VerbatimJson(row.metadata) }),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.erased_at !== null && { erasedAt: row.erased_at }),
  };
}

export function customerResponse(customer: Customer): ApiResponse {
  return ok(customer, { etag: etagOf(customer.version) });
}

export function createdResponse(customer: Customer): ApiResponse {
  return created(customer, `/v1/customers/${customer.id}`, { etag: etagOf(customer.version) });
}
