// Builds the OpenAPI document of the whole API from the route tables of the services (interface §11). Pure.
import type { Route } from "@tradepost/http";
import { requireAbout } from "./described-route.ts";
import { type Example, operationOf, pathOf, type Shared } from "./operation.ts";
import { EVENTS_TAG, webhookParameters, webhooksOf } from "./webhooks.ts";

/**
 * With recorded examples by operation id. Operations keep the order of the tables, everything else is sorted by name. @throws an
 * Error for a route without a description, and for two operations or two different schemas with the same id.
 */
export function openApiDocument(
  routes: readonly Route[],
  examples: Readonly<Record<string, Example>>,
  version: string,
): Record<string, unknown> {
  const described = routes.map(requireAbout);
  const shared: Shared = { schemas: {}, responses: {} };
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = new Set<string>();
  for (const row of described) {
    const { id } = row.about;
    if (ids.has(id)) throw new Error(`two operations have the id ${id}`);
    ids.add(id);
    const path = pathOf(row.path);
    paths[path] = {
      ...paths[path],
      [row.method.toLowerCase()]: operationOf(row, shared, examples[id]),
    };
  }
  const webhooks = webhooksOf(shared.schemas);
  return {
    openapi: "3.1.1",
    info: { title: "Tradepost", version, summary: SUMMARY, description: DESCRIPTION },
    servers: [{ url: DEFAULT_SERVER, description: "The gateway that served this document." }],
    security: [{ bearer: [] }],
    tags: tagsOf([...new Set(described.map(({ about }) => about.tag)), EVENTS_TAG]),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key or a dashboard token." },
      },
      headers: HEADERS,
      parameters: webhookParameters,
      responses: sorted(shared.responses),
      schemas: sorted({ ...shared.schemas, ...SCHEMAS }),
    },
  };
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The server of `npm start`. The gateway replaces it by the origin to which the document was requested. */
const DEFAULT_SERVER = "http://127.0.0.1:8080";

const SUMMARY = "Orders, content and webhooks of a multi-tenant commerce platform.";

/** Some renderers show every line break of the source, so a paragraph is one line. */
function paragraphs(text: string): string {
  return text.replace(/(?<!\n)\n(?!\n)/g, " ");
}

const DESCRIPTION =
  paragraphs(`Almost every request needs a bearer credential: an API key (\`sk_live_…\`), which has the role editor and is bound by its
scopes, or a dashboard token, which is bound by its user's role. Roles from the lowest: viewer, editor, admin, owner.

A success is \`{success: true, data}\`; lists add \`page: {nextCursor}\`. A failure is \`{success: false, error: {code, message,
requestId, details?}}\`, and \`details\` names every field at fault. Later versions may add fields to responses: a client
ignores fields that it does not know.

An unknown field in a body and an unknown query parameter are 422. In the body of a POST, \`null\` for an optional field means
the same as a missing one. Times in requests need an offset; those in responses are in UTC with milliseconds.

**Lists** are newest first. \`page.nextCursor\` is the \`cursor\` of the next page, with the same filters, and null on the last
one; \`Link\` has its path. A page ends before it passes 2 MiB, so it may have fewer items than \`limit\`. To follow what changes, read a change feed: it misses nothing.

**Repeat** a POST after a timeout with the same \`Idempotency-Key\`: it takes effect once. Wait for \`Retry-After\` after 429 and
503.

**Change** a resource that has a \`version\` with its \`ETag\` as \`If-Match\`, and nobody's change is overwritten. The
body of a PATCH may be \`application/merge-patch+json\` too: its objects are then merged into the stored ones (RFC 7396).

Every response has \`X-Request-Id\`: your own, if it matches \`[A-Za-z0-9._-]{1,128}\`. While limiting is on, every
authenticated response has \`RateLimit\` and \`RateLimit-Policy\`, and for older clients \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\`. JSON has \`X-Content-Type-Options: nosniff\` and \`Cache-Control: no-store\`
(\`private, no-cache\` with an \`ETag\`). JSON above 4 KiB is compressed
with gzip for clients that accept it.

Operations say what they need in \`x-tradepost-role\`, \`x-tradepost-scope\`, \`x-tradepost-module\` and
\`x-tradepost-users-only\`, and which events they cause in \`x-tradepost-emits\`.`);

const text = (description: string, more: object = {}) => ({
  description,
  schema: { type: "string", ...more },
});
const count = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } });

const HEADERS = {
  "X-Request-Id": text("The request's id: the caller's, if it sent a valid one."),
  ETag: text("The version of the resource."),
  "WWW-Authenticate": text("The same for a missing, unknown, revoked and expired credential.", {
    const: "Bearer",
  }),
  "Idempotent-Replayed": text(
    "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    { const: "true" },
  ),
  Location: text("The path of the new resource."),
  "Accept-Ranges": text("Ranges of bytes are honoured.", { const: "bytes" }),
  "Content-Disposition": text(
    "The filename; `inline` only for files that a browser shows without running them.",
  ),
  "Content-Range": text("Which bytes of how many these are: `bytes 0-1023/482113`."),
  Link: text('The path of the next page, with its cursor: `</v1/orders?cursor=…>; rel="next"`.'),
  RateLimit: text(
    'What is left of each limit, and the seconds until all of it is: `"default";r=199;t=1, "tenant";r=799;t=1`.',
  ),
  "RateLimit-Policy": text(
    'The limit of the key or user, and that of the tenant: how much in how many seconds: `"default";q=200;w=2, "tenant";q=800;w=2`.',
  ),
  "RateLimit-Limit": count("The most requests that the caller may send at once."),
  "RateLimit-Remaining": count("How many of them are left now."),
  "RateLimit-Reset": count("The seconds until all of them are."),
  "Retry-After": count("The seconds to wait before the next attempt."),
};

const SCHEMAS = {
  Page: {
    type: "object",
    properties: {
      nextCursor: {
        type: ["string", "null"],
        description: "The `cursor` of the next page; null on the last.",
      },
    },
    required: ["nextCursor"],
  },
  FeedPage: {
    type: "object",
    properties: {
      nextCursor: {
        type: "string",
        description: "The `after` of the next request; also given if there is no event.",
      },
      hasMore: { type: "boolean", description: "Whether more events can be read at once." },
    },
    required: ["nextCursor", "hasMore"],
  },
  FieldFaults: {
    type: "array",
    description: "Every field at fault.",
    items: {
      type: "object",
      properties: { path: { type: "string" }, message: { type: "string" } },
      required: ["path", "message"],
    },
  },
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Description: "This description itself.",
  "Sign-in": "How a user of the dashboard gets a token and keeps it.",
  Me: "The caller: an API key or a user, with its tenant.",
  "API keys": "Credentials of programs. An API key has the role editor, narrowed by its scopes.",
  Users: "The staff who sign in to the dashboard.",
  Modules: "The parts of the platform that are active for the tenant: `crm` and `content`.",
  Usage: "What the tenant uses, and its quotas.",
  Shop: "What people's screens and papers follow: the currency, the time zone and the locale, and the sender.",
  Security: "What the tenant requires of its users.",
  "Audit log": "Who changed keys, users, modules and webhooks, and who signed in.",
  Orders: "Orders, their payments and their way to the customer.",
  Customers: "Those who order.",
  Erasures: "The end of what the platform knows about a person.",
  Redirects: "Which paths of the site lead elsewhere.",
  "Content types": "Which fields the entries of a type have.",
  Entries: "Content with drafts, revisions, schedules and a live version.",
  Media: "Uploaded files and smaller versions of images.",
  "Change feeds":
    "Everything that happened to a module's resources, in an order in which a reader misses nothing.",
  "Webhook subscriptions": "Where the tenant's events are sent to.",
  "Webhook deliveries": "The log of what was sent, attempt by attempt.",
  "Webhook events": "What happened, and why something arrived or did not.",
  "Webhook ledger": "Counts and digests of a day, with which a receiver proves that it has everything.",
  Listeners: "Deliveries for receivers that nobody can reach from outside: they fetch them.",
  Notices: "What needs somebody's care, and where that is sent.",
  "Requests to receivers": "What the platform sends to a subscription's URL.",
};

/** In the given order. @throws an Error for a group without a description. */
function tagsOf(names: readonly string[]): { name: string; description: string }[] {
  return names.map((name) => {
    const description = DESCRIPTIONS[name];
    if (description === undefined) throw new Error(`the group ${name} has no description`);
    return { name, description };
  });
}
