// The tables for Kysely. Numeric columns are decimal strings, because a double would lose digits.

import type { orderInEvents } from "@tradepost/event-catalog";
import type { OutboxTable } from "@tradepost/messaging";
import type * as postgres from "@tradepost/postgres";
import type { ColumnType, Generated } from "kysely";
import type { z } from "zod";

export type Tenant = postgres.Tenant<Tables>;

type Shown = z.output<typeof orderInEvents>;
type Json = ColumnType<unknown, string | null, string | null>;

/** `lines` are pairs of position and quantity. */
export interface StoredShipments {
  readonly status: string;
  readonly list: readonly {
    readonly id: string;
    readonly lines: readonly (readonly [number, number])[];
    readonly trackingNumber?: string;
    readonly carrier?: string;
    readonly shippedAt: string;
    readonly deliveredAt?: string;
  }[];
}

export interface Tables {
  customers: {
    tenant_id: string;
    id: string;
    name: string;
    email: string | null;
    phone: string | null;
    external_id: string | null;
    metadata: Json;
    version: Generated<number>;
    search_text: string | null;
    email_lower: ColumnType<string | null, never, never>;
    created_at: ColumnType<Date, never, never>;
    updated_at: Generated<Date>;
    erased_at: Date | null;
  };
  orders: {
    tenant_id: string;
    id: string;
    order_number: string;
    external_id: string | null;
    status: Generated<Shown["status"]>;
    payment_status: Generated<Shown["paymentStatus"]>;
    customer_id: string;
    channel: Shown["channel"];
    currency: string;
    subtotal: string;
    shipping_total: string;
    discount_total: string;
    tax_total: string;
    total: string;
    paid_total: Generated<string>;
    refunded_total: Generated<string>;
    property_id: string | null;
    shipping_address: Json;
    billing_address: Json;
    customer_note: string | null;
    internal_note: string | null;
    metadata: Json;
    tracking_number: string | null;
    carrier: string | null;
    cancel_reason: string | null;
    shipments: ColumnType<StoredShipments | null, never, never>;
    refunded_quantities: ColumnType<number[] | null, never, never>;
    version: Generated<number>;
    search_text: string | null;
    created_at: ColumnType<Date, never, never>;
    updated_at: Generated<Date>;
    placed_at: ColumnType<Date | null, never, never>;
  };
  order_lines: {
    tenant_id: string;
    order_id: string;
    position: number;
    sku: string;
    name: string;
    quantity: number;
    unit_price: string;
    subtotal: string;
    tax_amount: string;
    product_id: string | null;
    variant_id: string | null;
    description: string | null;
    tax_lines: unknown;
  };
  customer_words: {
    tenant_id: string;
    word: string;
    customer_id: string;
  };
  order_words: {
    tenant_id: string;
    word: string;
    created_at: Date;
    order_id: string;
  };
  outbox: OutboxTable;
}
