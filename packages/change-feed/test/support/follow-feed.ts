// Reads a tenant's feed page by page, as a client does.
import type { ApiClient } from "@tradepost/testing";
import type { TestEvent, TestFeed } from "./test-feed.ts";

export interface FeedEvent {
  readonly id: string;
  readonly type: string;
}

interface Page {
  readonly events: readonly FeedEvent[];
  readonly cursor: string;
}

/** Reads the feed from a cursor to its end. */
export async function follow(client: ApiClient, after: string | null, query = ""): Promise<Page> {
  const events: FeedEvent[] = [];
  let cursor = after;
  for (;;) {
    const from = cursor === null ? "" : `&after=${cursor}`;
    const { status, text, body } = await client.get(`/v1/events?limit=100${query}${from}`);
    if (status !== 200) throw new Error(`the feed was refused: ${status} ${text}`);
    events.push(...body.data);
    cursor = String(body.page.nextCursor);
    if (!body.page.hasMore) return { events, cursor };
  }
}

/**
 * Reads the feed from a cursor until it has returned `count` events. This may take several waits: the test files share a database
 * server, and a transaction that another file holds open hides events committed since.
 */
export async function readEvents(client: ApiClient, after: string | null, count: number): Promise<Page> {
  const events: FeedEvent[] = [];
  let cursor = after;
  for (let tries = 0; tries < 10 && events.length < count; tries += 1) {
    const page = await follow(client, cursor, "&waitSeconds=10");
    events.push(...page.events);
    cursor = page.cursor;
  }
  return { events, cursor: cursor ?? "" };
}

/** Opens a tenant with one event, and a cursor after the event. */
export async function openReader(feed: TestFeed, event?: TestEvent) {
  const tenant = feed.openTenant();
  const first = await feed.commit(tenant.tenantId, event && [event]);
  const { cursor } = await readEvents(tenant.client, null, 1);
  return { ...tenant, first, cursor };
}

export const idsOf = (events: readonly FeedEvent[]) => events.map(({ id }) => id);
