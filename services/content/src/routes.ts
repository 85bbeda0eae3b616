// The routes, and the change feed over all nouns.
import { type ChangeFeed, feedQuery } from "@tradepost/change-feed";
import { eventTypesOf, feedEvents } from "@tradepost/event-catalog";
import { feed, type Route, route } from "@tradepost/http";
import { keptEventBytes, NO_BYTES, usageRoutes } from "@tradepost/messaging";
import { type TenantDatabases, toStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool } from "pg";
import { type ContentTypeContext, contentTypeRoutes } from "./content-type/content-type.ts";
import { type EntryContext, entryRoutes, publicationRoutes, revisionRoutes } from "./entry/entry.ts";
import { type MediaContext, mediaLinkRoutes, mediaRoutes } from "./media/media.ts";
import { type RedirectContext, redirectRoutes } from "./redirect/redirect.ts";
import { READ } from "./route-parts.ts";
import type { Tables } from "./tables.ts";

type Context = RedirectContext &
  ContentTypeContext &
  EntryContext &
  MediaContext & { readonly feed: ChangeFeed };

export function routes(context: Context): Route[] {
  return [
    ...redirectRoutes,
    ...contentTypeRoutes,
    ...entryRoutes,
    ...publicationRoutes,
    ...revisionRoutes,
    listEvents,
    ...mediaRoutes,
    ...mediaLinkRoutes,
  ].map((make) => make(context));
}

const eventTypes = eventTypesOf("content", "content_type", "media", "redirect");

const listEvents = (context: Pick<Context, "feed">) =>
  route("GET /v1/content/events", {
    ...READ,
    query: feedQuery(eventTypes),
    about: {
      id: "listContentEvents",
      tag: "Change feeds",
      summary: "Read the change feed of content",
      description:
        "Lists every event of entries, content types, media and redirects, in an order in which a reader misses nothing. An event may be read again. Events are kept for 30 days unless the operator has set another time; an older cursor is 410 `cursor_expired`.",
      responses: { 200: feed(feedEvents(eventTypes)) },
      errors: ["cursor_expired"],
    },
    handle: (request: Parameters<ChangeFeed["list"]>[0]) => context.feed.list(request),
  });

/** Tells the gateway what tenants use (interface §19). */
export function contentUsage({ of }: TenantDatabases<Tables>, workers: Pool) {
  return usageRoutes({
    bytes: async (tenantIds) => {
      const [events, { rows }] = await Promise.all([
        keptEventBytes(workers, tenantIds),
        workers.query<{ tenantId: string; bytes: number }>(
          toStatement(sql`
            select tenant_id as "tenantId", bytes::float8 as bytes
              from media_bytes where tenant_id = any(${tenantIds}::uuid[])`),
        ),
      ]);
      for (const { tenantId, bytes } of rows)
        events.set(tenantId, { ...(events.get(tenantId) ?? NO_BYTES), mediaBytes: bytes });
      return events;
    },
    counts: async (tenantId) => {
      const { rows } = await sql<{ entries: number; redirects: number }>`
        select (select count(*) from entries where tenant_id = ${tenantId})::float8 as entries,
               (select count(*) from redirects where tenant_id = ${tenantId})::float8 as redirects`.execute(
        of(tenantId).db,
      );
      return { entries: 0, redirects: 0, ...rows[0] };
    },
  });
}
