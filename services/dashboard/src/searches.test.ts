// The search parameters of the screens, and what their lists ask for. A person can type anything into the address bar.
import { signInSearch as signIn } from "./format/sign-in-failures.ts";
import { auditLogSearch as auditLog } from "./screens/audit-log/search.ts";
import {
  contentTypeSearch as contentType,
  contentTypesSearch as contentTypes,
} from "./screens/content-types/search.ts";
import * as deliveries from "./screens/deliveries/search.ts";
import {
  entriesSearch as entries,
  entrySearch as entry,
  newEntrySearch as newEntry,
} from "./screens/entries/search.ts";
import * as events from "./screens/events/search.ts";
import * as notices from "./screens/notices/search.ts";
import { ordersSearch as orders, placeOrderSearch as placeOrder } from "./screens/orders/search.ts";
import { reportSearch as reports } from "./screens/reports/period.ts";
import * as requests from "./screens/requests/search.ts";
import { ledgerSearch as ledger, webhooksSearch as webhooks } from "./screens/webhooks/search.ts";

const ID = "0199a1b2-0000-7000-8000-00000000abcd";
const [FROM, TO] = ["2026-11-23T05:00:00.000Z", "2026-11-24T05:00:00.000Z"];
const OF_ENTRY = { action: "user.created", actorId: ID, from: FROM };
const OF_DELIVERY = { status: "failed", type: "redirect.added", outcome: "timeout", subscriptionId: ID };

const SEARCHES = {
  ...{ auditLog, contentType, contentTypes, entries, entry, ledger, newEntry, orders, placeOrder, reports },
  ...{ signIn, webhooks, deliveries: deliveries.deliveriesSearch, events: events.eventsSearch },
  requests: requests.requestsSearch,
};

test.each<[keyof typeof SEARCHES, object, object]>([
  ["auditLog", OF_ENTRY, OF_ENTRY],
  ["auditLog", { action: "user.painted", actorId: "", from: 5, to: "soon", x: 1 }, {}],
  ["auditLog", { targetId: 4711 }, { targetId: "4711" }],
  ["auditLog", { targetId: "x".repeat(101) }, { targetId: "x".repeat(100) }],
  ["contentTypes", { add: "article", x: 1 }, { add: "article" }],
  ["contentTypes", { add: "book" }, {}],
  ["contentType", { edit: true }, { edit: true }],
  ["contentType", { edit: "yes" }, {}],
  ["deliveries", OF_DELIVERY, OF_DELIVERY],
  ["deliveries", { status: "lost", type: "order.updated", outcome: "toString", subscriptionId: "x" }, {}],
  ["deliveries", { statusCode: 500 }, { statusCode: 500 }],
  ["deliveries", { statusCode: "404" }, { statusCode: 404 }],
  ["deliveries", { statusCode: "" }, {}],
  ["deliveries", { statusCode: 99 }, {}],
  ["deliveries", { statusCode: "5xx" }, {}],
  ["deliveries", { eventId: ` ${ID} ` }, { eventId: ID }],
  ["deliveries", { eventId: 1234 }, { eventId: "1234" }],
  ["deliveries", { eventId: " " }, {}],
  ["deliveries", { from: "2026-11-23T05:00Z", to: "soon" }, { from: FROM }],
  ["entries", { type: " article ", search: 2026, locale: "", x: 1 }, { type: "article", search: "2026" }],
  ["entries", { status: "published" }, { status: "published" }],
  ["entries", { status: "live", type: {} }, {}],
  ["newEntry", { type: "article" }, { type: "article" }],
  ["entry", { edit: true, revision: 3 }, { edit: true, revision: 3 }],
  ["entry", { edit: 1, revision: -3 }, {}],
  ["events", { type: "media.uploaded", resourceId: " x " }, { type: "media.uploaded", resourceId: "x" }],
  ["events", { type: "order.updated", resourceId: "", search: " sale " }, { search: "sale" }],
  ["events", { from: "2026-11-23", to: "never" }, { from: "2026-11-23T00:00:00.000Z" }],
  ["ledger", { days: 7, day: "today" }, {}],
  ["ledger", { days: 30, day: "2026-11-24" }, { days: 30, day: "2026-11-24" }],
  [
    "orders",
    { status: "lost", payment: "paid", channel: 7, search: 1001 },
    { payment: "paid", search: "1001" },
  ],
  ["orders", { from: "2026-02-30", to: "2026-02-28" }, { to: "2026-02-28" }],
  ["orders", { status: "constructor", from: "0000-01-01", customer: "a@b.example" }, {}],
  ["orders", { tab: "unpaid", status: "placed", payment: "paid" }, { tab: "unpaid" }],
  ["placeOrder", { customerId: "x" }, {}],
  ["reports", { period: "ever", from: "soon", channel: "fax", currency: "eur", show: 1 }, {}],
  ["requests", { keyId: ID, userId: ID }, { keyId: ID }],
  ["requests", { userId: ID }, { userId: ID }],
  ["requests", { keyId: "me", userId: "x" }, {}],
  ["requests", { people: true }, { people: true }],
  ["requests", { people: "yes" }, {}],
  ["requests", { people: true, userId: ID }, { userId: ID }],
  ["requests", { status: 422 }, { status: 422 }],
  ["requests", { status: 600 }, {}],
  ["requests", { route: " /v1/orders/:id " }, { route: "/v1/orders/:id" }],
  ["requests", { from: "soon", to: "2026-11-23T05:00Z" }, { to: FROM }],
  ["signIn", { next: "/orders?status=placed" }, { next: "/orders?status=placed" }],
  ["signIn", { next: "//evil.example/" }, {}],
  ["signIn", { next: "/\\evil.example/" }, {}],
  ["signIn", { next: "https://evil.example/" }, {}],
  ["signIn", { next: "/", failure: "/" }, {}],
  ["signIn", { next: 7, failure: 7 }, {}],
  ["signIn", { next: "expired", failure: "expired" }, { failure: "expired" }],
  ["signIn", { failure: "not_invited" }, { failure: "not_invited" }],
  ["webhooks", { create: "yes", type: "order.updated", other: 1 }, {}],
  ["webhooks", { create: true, type: "media.uploaded" }, { create: true, type: "media.uploaded" }],
])("the address of %s with %j has %j", (screen, typed, search) => {
  expect(SEARCHES[screen]({ ...typed })).toEqual(search);
});

const ofNotices = (search: Record<string, unknown>) => notices.queryOf(notices.noticesSearch(search));

test.each<[string, object, object]>([
  ["notices", ofNotices({ state: "open" }), { open: "true" }],
  ["notices", ofNotices({ state: "closed" }), { open: "false" }],
  ["notices", ofNotices({ state: "lost" }), {}],
  ["notices", ofNotices({}), {}],
  ["events", events.queryOf({ from: FROM, to: TO }), { createdAfter: FROM, createdBefore: TO }],
  ["deliveries", deliveries.queryOf({ status: "failed", to: TO }), { status: "failed", createdBefore: TO }],
  ["deliveries", deliveries.queryOf({ from: FROM }), { createdAfter: FROM }],
  ["requests", requests.queryOf({ status: 500, people: true, to: TO }), { status: 500, before: TO }],
  ["requests", requests.queryOf({ people: true, from: FROM }), { after: FROM }],
  ["requests of programs", requests.queryOf({}), { actorType: "api_key" }],
  ["requests", requests.queryOf({ keyId: ID }), { keyId: ID }],
])("a list of %s asks for %j", (_, query, expected) => expect(query).toEqual(expected));
