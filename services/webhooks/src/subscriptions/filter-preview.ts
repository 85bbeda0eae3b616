// Tries a filter on the tenant's past events, before it is used (interface §18).
import { subscribableType } from "@tradepost/event-catalog";
import { sql } from "kysely";
import { z } from "zod";
import { eventFilter, eventTypesInput, type Facets, unmatchedFields } from "../event-filter.ts";
import { NOT_OF_ORDERS, type Sight } from "../offered-types.ts";
import type { Tenant } from "../tables.ts";

export const filterPreviewInput = (more: readonly string[]) =>
  z.strictObject({ events: eventTypesInput(more), filter: eventFilter.nullable().optional() });

export type FilterPreviewInput = z.output<ReturnType<typeof filterPreviewInput>>;

export const previewed = z
  .strictObject({
    examined: z.int().nonnegative().describe("How many events there were, at most 1,000."),
    matched: z.int().nonnegative(),
    examples: z
      .array(
        z.strictObject({
          id: z.uuid(),
          type: subscribableType,
          resourceId: z.uuid().nullable(),
          occurredAt: z.iso.datetime(),
        }),
      )
      .describe("The newest events that match, at most 10."),
  })
  .meta({ id: "FilterPreview", description: "Which of the past events a filter matches." });

const EXAMINED_MAX = 1_000;
const EXAMPLES_MAX = 10;

export async function previewFilter(
  { db, tenantId }: Tenant,
  { events, filter }: FilterPreviewInput,
  { hidesOrders }: Sight,
) {
  const { rows } = await sql<{
    id: string;
    type: string;
    resourceId: string | null;
    occurredAt: Date;
    facets: Facets;
  }>`
    select id, type, resource_id as "resourceId", occurred_at as "occurredAt", event.facets
      from (select * from events
             where tenant_id = ${tenantId} and not is_test and ${hidesOrders ? NOT_OF_ORDERS : sql`true`} order by id desc limit ${EXAMINED_MAX}) as event
     order by id desc`.execute(db);
  const matching = rows.filter(
    ({ type, facets }) =>
      (events as readonly string[]).includes(type) && unmatchedFields(filter ?? null, facets).length === 0,
  );
  return {
    examined: rows.length,
    matched: matching.length,
    examples: matching.slice(0, EXAMPLES_MAX).map(({ facets: _, ...example }) => example),
  };
}
