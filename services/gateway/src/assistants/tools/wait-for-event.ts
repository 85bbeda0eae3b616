// Reads all change feeds that the caller may read, at once.
import { invalid, permit } from "@tradepost/http";
import { z } from "zod";
import { id, shortText } from "../arguments.ts";
import * as schema from "../output-schema.ts";
import { READ_CONTENT, READ_CRM, refusalBy, type ToolContext, tool } from "../tool.ts";
import { untrusted } from "../untrusted-text.ts";

const FEEDS = {
  orders: { path: "/v1/orders/events", needs: READ_CRM, prefixes: ["order"] },
  customers: { path: "/v1/customers/events", needs: READ_CRM, prefixes: ["customer"] },
  content: {
    path: "/v1/content/events",
    needs: READ_CONTENT,
    prefixes: ["content", "content_type", "media", "redirect"],
  },
} as const;
type FeedName = keyof typeof FEEDS;
const FEED_NAMES = Object.keys(FEEDS) as FeedName[];

const WAIT_MS_MAX = 25_000;
const EVENTS_MAX = 20;
const DATA_CHARACTERS_MAX = 1_000;

interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Cursors = Partial<Record<FeedName, string | undefined>>;

const cursor = z.string("must be a string").max(200).optional();

export const waitForEvent = tool({
  name: "wait_for_event",
  title: "Wait for an event",
  description:
    "Waits up to 25 seconds until something happens to an order, a customer or content, and returns the events. Pass cursors of the result as after in the next call, so that nothing in between is missed; without after it waits for what happens from now on.",
  needs: [],
  needsOneOf: [READ_CRM, READ_CONTENT],
  effect: "reads",
  input: z.strictObject({
    types: z
      .array(shortText(64))
      .min(1)
      .max(20)
      .optional()
      .describe("Only these types, such as order.paid or content.entry.published."),
    resource_id: id("Only events of the order, customer, entry, file or redirect with this id.").optional(),
    after: z
      .strictObject({
        orders: cursor.describe("Of orders."),
        customers: cursor.describe("Of customers."),
        content: cursor.describe("Of content."),
      })
      .optional()
      .describe("cursors of the call before."),
  }),
  output: schema.object({ events: schema.list(), cursors: schema.anyObject }),
  run: async ({ types, resource_id: resourceId, after = {} }, context) => {
    const wanted = feedsOf(types, context);
    const cursors: Cursors = { ...after };
    const endWait = await context.beginWait();
    try {
      await Promise.all(wanted.map((feed) => startAt(feed.name, cursors, context)));
      const events = await firstEvents(wanted, cursors, resourceId?.toLowerCase(), context);
      // A key that was revoked during the wait gets no later event.
      await context.checkCaller();
      return {
        summary:
          events.length === 0
            ? "Nothing happened yet: call again with cursors as after."
            : `Events: ${events.length}. Pass cursors as after in the next call.`,
        structured: { events: events.map(shownEvent), cursors },
      };
    } finally {
      endWait();
    }
  },
});

interface WantedFeed {
  readonly name: FeedName;
  readonly types: string | undefined;
}

/** Throws 422 for an unknown type, and 403. */
function feedsOf(types: readonly string[] | undefined, { principal }: ToolContext): WantedFeed[] {
  if (types === undefined) {
    const readable = FEED_NAMES.filter((name) => refusalBy(FEEDS[name].needs, principal) === null);
    return readable.map((name) => ({ name, types: undefined }));
  }
  const named = types.map((type, index) => {
    const prefix = type.split(".", 1)[0] ?? "";
    const name = FEED_NAMES.find((feed) => (FEEDS[feed].prefixes as readonly string[]).includes(prefix));
    if (name === undefined) throw invalid([{ path: `types[${index}]`, message: "unknown event type" }]);
    permit(principal, FEEDS[name].needs);
    return { name, type };
  });
  return FEED_NAMES.filter((feed) => named.some(({ name }) => name === feed)).map((feed) => ({
    name: feed,
    types: named.flatMap(({ name, type }) => (name === feed ? [type] : [])).join(","),
  }));
}

async function startAt(name: FeedName, cursors: Cursors, { services }: ToolContext): Promise<void> {
  if (cursors[name] !== undefined) return;
  const { nextCursor } = await services.get(FEEDS[name].path, { after: "now" });
  cursors[name] = nextCursor ?? undefined;
}

/** Resolves with the events of the first feed that has some, and ends the other waits. Advances the cursors. */
async function firstEvents(
  feeds: readonly WantedFeed[],
  cursors: Cursors,
  resourceId: string | undefined,
  { services }: ToolContext,
): Promise<FeedEvent[]> {
  const deadlineAt = performance.now() + WAIT_MS_MAX;
  const end = new AbortController();
  const found: FeedEvent[] = [];
  let failure: unknown;
  const follow = async ({ name, types }: WantedFeed) => {
    for (let secondsLeft = 1; secondsLeft > 0 && !end.signal.aborted; ) {
      secondsLeft = Math.max(0, Math.floor((deadlineAt - performance.now()) / 1_000));
      const query = { after: cursors[name], types, limit: EVENTS_MAX, waitSeconds: secondsLeft };
      const { data, nextCursor } = await services.get<FeedEvent[]>(FEEDS[name].path, query, end.signal);
      // The service has ended the wait early, for example because it stops.
      if (data.length === 0 && (nextCursor ?? cursors[name]) === cursors[name]) return;
      cursors[name] = nextCursor ?? cursors[name];
      const events = data.filter((event) => resourceId === undefined || isAbout(event, resourceId));
      found.push(...events);
      if (events.length > 0) end.abort();
    }
  };
  const followOrEnd = async (feed: WantedFeed) => {
    try {
      await follow(feed);
    } catch (error) {
      // The waits that were ended here fail too.
      if (!end.signal.aborted) failure = error;
      end.abort();
    }
  };
  await Promise.all(feeds.map(followOrEnd));
  if (failure !== undefined) throw failure;
  return found;
}

function isAbout({ data }: FeedEvent, resourceId: string): boolean {
  return Object.values(data).some(
    (resource) => (resource as { readonly id?: unknown } | null)?.id === resourceId,
  );
}

function shownEvent({ id, type, occurredAt, data }: FeedEvent) {
  return { id, type, occurred_at: occurredAt, data: untrusted(data, DATA_CHARACTERS_MAX) };
}
