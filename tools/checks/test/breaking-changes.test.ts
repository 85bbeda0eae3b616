// Compares the API description with that of the last release, docs/openapi-released.json.
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { breakingChanges } from "@tradepost/openapi";
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
  // A link is public.
  "POST /v1/media/{id}/links: now needs the role editor",
];

test("no change since the last release breaks a client, but those made on purpose", () => {
  const released = JSON.parse(readFileSync(RELEASED_DESCRIPTION_FILE, "utf8")) as object;
  expect(breakingChanges(released, apiDescription())).toEqual(ON_PURPOSE);
});
