// Compares the API description with the last release's, which it reads from the git history.
import { expect, test } from "@jest/globals";
import { breakingChanges } from "@tradepost/api-description";
import { previousReleaseInHistory, runGit } from "@tradepost/devstack";
import { apiDescription } from "../src/api-description.ts";

const released = await previousReleaseInHistory();
const testIfAvailable = released.unavailable === undefined ? test : test.skip;
const reason = released.unavailable === undefined ? "" : ` (NOT TESTED: ${released.unavailable})`;
if (reason !== "")
  console.error(`The API is not compared with release ${released.version}: ${released.unavailable}.`);

// Intended breaking changes. The changelog has a line for each, with who is affected. A release empties this list
// (CONTRIBUTING.md).
const ON_PURPOSE: readonly string[] = [
  // These resources show drafts.
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
  // Anyone with the link can read the file.
  "POST /v1/media/{id}/links: now needs the role editor",
  // An order that is refused has no status by which a client could handle an unknown code.
  ...["customer_erased", "quota_exceeded"].map(
    (code) => `POST /v1/orders/bulk: the response 200 field "data[].error.code" may now be "${code}"`,
  ),
  // The server already had these rules; the released description lacked them.
  'POST /v1/api-keys: the request field "scopes" now has uniqueItems true',
  'POST /v1/orders/{id}/refund: the request field "amount" now has exclusiveMinimum 0',
  String.raw`POST /v1/entries: the request field "locale" now has pattern "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"`,
  String.raw`GET /v1/entries: the query parameter "locale" now has pattern "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"`,
  // Other slugs are refused by 0.2.0 too.
  `PUT /v1/content-types/{slug}: the path parameter "slug" now has maxLength 64`,
  `PUT /v1/content-types/{slug}: the path parameter "slug" now has pattern "^[a-z0-9]+(-[a-z0-9]+)*$"`,
  // The patterns are the same, without escaped slashes.
  String.raw`POST /v1/redirects: the request field "from" now has pattern "^ */[^?#]*$"`,
  String.raw`POST /v1/redirects: the request field "to" now has pattern "^(/(?![/\\\\])|https?://)\\S*$"`,
  String.raw`GET /v1/redirects: the query parameter "from" now has pattern "^ */[^?#]*$"`,
  String.raw`GET /v1/redirects/resolve: the query parameter "path" now has pattern "^ */[^?#]*$"`,
  String.raw`POST /v1/webhooks/subscriptions: the request field "url" now has pattern "^https://[^/\\s\\\\#][^\\s\\\\#]*$"`,
  String.raw`PATCH /v1/webhooks/subscriptions/{id}: the request field "url" now has pattern "^https://[^/\\s\\\\#][^\\s\\\\#]*$"`,
  'GET /v1/orders/events: the response 200 field "data[].type" may now be "order.updated"',
  // Not with `quota_exceeded`.
  ...["", "/{id}/payments", "/{id}/fulfill", "/{id}/deliver", "/{id}/cancel", "/{id}/refund"].map(
    (path) =>
      `POST /v1/orders${path}: the response 409 field "error.${path === "" ? "orderId" : "state"}" may now be missing`,
  ),
  'PATCH /v1/orders/{id}: the response 409 field "error.state" may now be missing',
  'POST /v1/customers: the response 409 field "error.customerId" may now be missing',
  'PATCH /v1/customers/{id}: the response 409 field "error.customerId" may now be missing',
  // Only for a user with a second factor.
  ...["expiresAt", "token", "user"].map(
    (field) => `POST /v1/auth/login: the response 200 field "data.${field}" is removed`,
  ),
  // A key that only reads could take and settle the deliveries of others.
  ...[
    "POST ",
    "DELETE /{id}",
    ...["lease", "deliveries/{deliveryId}/result", "deliveries/{deliveryId}/redeliver"].map(
      (last) => `POST /{id}/${last}`,
    ),
  ].map(
    (operation) => `${operation.replace(" ", " /v1/webhooks/listeners")}: now needs the scope write:content`,
  ),
  // Only for a subscription with a filter.
  'GET /v1/webhooks/events/{id}: the response 200 field "data.subscriptions[].reason" may now be "filtered"',
];
// Intended changes of many fields: texts refuse control characters, and an endpoint may be down.
const ON_PURPOSE_EVERYWHERE =
  /now has pattern "\^\[\^\\\\u0000-|field "data(\[\])?\.health\.status" may now be "down"/;

testIfAvailable(
  `no change since the last release breaks a client, but those made on purpose${reason}`,
  async () => {
    const description = JSON.parse(await runGit(["show", `${released.commit}:docs/openapi.json`])) as object;
    const changes = breakingChanges(description, apiDescription());
    expect(changes.filter((change) => !ON_PURPOSE_EVERYWHERE.test(change)).sort()).toEqual(
      [...ON_PURPOSE].sort(),
    );
  },
);
