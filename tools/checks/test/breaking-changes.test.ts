// Compares the API description with that of the last release, docs/openapi-released.json.
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { breakingChanges } from "@tradepost/api-description";
import { apiDescription, RELEASED_DESCRIPTION_FILE } from "../src/api-description.ts";

// Each with a line in the changelog that says who is affected. A release empties the list: see CONTRIBUTING.md.
const ON_PURPOSE: readonly string[] = [
  // They show drafts.
  ...[
    "subscriptions",
    "subscriptions/{id}",
    "recoveries/{id}",
    "deliveries",
    "deliveries/{id}",
    "events",
    "events/{id}",
    "event-types",
    "listeners",
    "listeners/{id}",
  ].flatMap((path) => [
    `GET /v1/webhooks/${path}: now needs the scope read:content`,
    `GET /v1/webhooks/${path}: now needs the module content`,
  ]),
  ...["listeners", "listeners/{id}/lease", "listeners/{id}/deliveries/{deliveryId}/redeliver"].map(
    (path) => `POST /v1/webhooks/${path}: now needs the module content`,
  ),
  // A link is public.
  "POST /v1/media/{id}/links: now needs the role editor",
  // Its line and its city refuse control characters.
  ...["shippingAddress", "billingAddress"].map(
    (field) => `PATCH /v1/orders/{id}: the request field "${field}" no longer accepts the alternative object`,
  ),
  // The server's own rules, which the released description leaves out.
  'POST /v1/api-keys: the request field "scopes" now has uniqueItems true',
  'POST /v1/orders/{id}/refund: the request field "amount" now has exclusiveMinimum 0',
  String.raw`POST /v1/entries: the request field "locale" now has pattern "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"`,
  String.raw`GET /v1/entries: the query parameter "locale" now has pattern "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"`,
  // The same patterns, without escaped slashes.
  String.raw`POST /v1/redirects: the request field "from" now has pattern "^ */[^?#]*$"`,
  String.raw`POST /v1/redirects: the request field "to" now has pattern "^(/(?![/\\\\])|https?://)\\S*$"`,
  String.raw`GET /v1/redirects: the query parameter "from" now has pattern "^ */[^?#]*$"`,
  String.raw`GET /v1/redirects/resolve: the query parameter "path" now has pattern "^ */[^?#]*$"`,
  String.raw`POST /v1/webhooks/subscriptions: the request field "url" now has pattern "^https://[^/\\s\\\\#][^\\s\\\\#]*$"`,
  String.raw`PATCH /v1/webhooks/subscriptions/{id}: the request field "url" now has pattern "^https://[^/\\s\\\\#][^\\s\\\\#]*$"`,
  'GET /v1/orders/events: the response 200 field "data[].type" may now be "order.updated"',
];
// The same for many fields at once: texts refuse control characters.
const ON_PURPOSE_EVERYWHERE = /now has pattern "\^\[\^\\\\u0000-/;

test("no change since the last release breaks a client, but those made on purpose", () => {
  const released = JSON.parse(readFileSync(RELEASED_DESCRIPTION_FILE, "utf8")) as object;
  const changes = breakingChanges(released, apiDescription());
  expect(changes.filter((change) => !ON_PURPOSE_EVERYWHERE.test(change)).sort()).toEqual(
    [...ON_PURPOSE].sort(),
  );
});
