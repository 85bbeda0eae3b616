// Writes a change of an order with its words, timeline entry, event and idempotency record, in one statement.
import type { IdempotencyKey } from "@tradepost/http";
import { keyColumns } from "@tradepost/idempotency";
import { writeJson } from "@tradepost/json";
import { type AdmittedCause, type NewOutboxRow, outboxRow } from "@tradepost/messaging";
import {
  type Columns,
  columnsOf,
  completeJson,
  jsonTimeOf,
  namedStatement,
  parametersOf,
  placeholderColumns,
} from "@tradepost/postgres";
import { EVENT, event } from "../event-of-change.ts";
import type { Tenant } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import { type Order, orderResponse, shownInEvents } from "./order-resource.ts";
import { NEW_WORDS, searchOfOrder } from "./search-order.ts";
import { storedShipments } from "./shipments.ts";

interface Change {
  /** The order after the change, with its new version, but the time of the previous change. */
  readonly order: Order;
  readonly tracked: readonly (string | undefined)[];
  readonly pending: string;
  readonly event: { readonly type: string; readonly extra?: object };
  readonly details: object;
  readonly idempotencyKey: IdempotencyKey | null;
  readonly cause: AdmittedCause;
}

type Written = Omit<Change, "event"> & { readonly event: NewOutboxRow };

/** The SQL columns that a kind of change sets, except parcels. */
type OrderColumns = Columns<Pick<Change, "order">>;

/**
 * Returns the function that writes a change and returns its time, or null if the order has another version than the change was
 * decided on.
 */
export function changeWriter(columns: OrderColumns) {
  const statement = changeStatement({ ...columns, ...PARCEL_COLUMNS });
  return async (tenant: Tenant, change: Change): Promise<Date | null> => {
    const { order, pending, cause } = change;
    const data = { order: shownInEvents({ ...order, updatedAt: pending }), ...change.event.extra };
    const { rows } = await tenant.query<{ updatedAt: Date }>(
      statement({ ...change, event: outboxRow(change.event.type, order.id, data, cause) }),
    );
    return rows[0]?.updatedAt ?? null;
  };
}

const PARCEL_COLUMNS: OrderColumns = {
  version: ({ order }) => order.version,
  tracking_number: ({ order }) => order.trackingNumber ?? null,
  carrier: ({ order }) => order.carrier ?? null,
};

function changeStatement(columns: OrderColumns) {
  return namedStatement<Written>(
    `
  with changed as (
    update orders
       set (${columnsOf(columns)}) = row (${parametersOf("order", columns)}), updated_at = ${NEXT_UPDATED_AT},
           shipments = ${completeJson("$stored.shipments", jsonTimeOf(`(${NEXT_UPDATED_AT})::timestamptz(3)`))},
           search_text = $search.text
     where tenant_id = $event.tenant_id and id = $event.aggregate_id and version = $order.version - 1
    returning version, updated_at, created_at, status, payment_status
  ), ${NEW_WORDS}, timeline_entry as (
    insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor,
                               request_id, created_at)
    select $event.tenant_id, $event.aggregate_id, version, $event.type, status, payment_status, $timeline.details,
           $event.event_id, $event.actor::json, $event.request_id, updated_at
      from changed
  ), ${EVENT}, record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $event.tenant_id, $record.route, $record.key::text, $record.fingerprint, ${completeJson("$record.response", jsonTimeOf("updated_at"))}
      from changed where $record.key is not null
  )
  select updated_at as "updatedAt" from changed`,
    {
      order: columns,
      stored: { shipments: ({ order }) => storedShipments(order) },
      search: searchOfOrder,
      pending: placeholderColumns,
      timeline: { details: ({ details }) => JSON.stringify(details) },
      event,
      record: { ...keyColumns, response: recordedResponse },
    },
  );
}

function recordedResponse({ idempotencyKey, order, pending }: Written): string | null {
  return idempotencyKey === null ? null : writeJson(orderResponse({ ...order, updatedAt: pending }));
}
