// The API description, docs/openapi.json: made from the route tables of the four services (interface §11).
import { readFileSync } from "node:fs";
import path from "node:path";
import { routes as contentRoutes } from "@tradepost/content/routes";
import { routes as gatewayRoutes } from "@tradepost/gateway/routes";
import type { Route } from "@tradepost/http";
import { type Example, openApiDocument } from "@tradepost/openapi";
import { routes as ordersRoutes } from "@tradepost/orders/routes";
import { routes as webhooksRoutes } from "@tradepost/webhooks/routes";
import { ROOT } from "./root.ts";

/** The description, as the repository has it. */
export const API_DESCRIPTION_FILE = path.join(ROOT, "docs/openapi.json");
/** The examples that tests have recorded, by operation id. */
const EXAMPLES_FILE = path.join(ROOT, "docs/openapi-examples.json");

// The rows are all that is needed; nothing calls the handlers, which have no database.
const tables = [gatewayRoutes, ordersRoutes, contentRoutes, webhooksRoutes] as ((
  context: never,
) => Route[])[];

/** Returns the description that the route tables make now. */
export function apiDescription(): Record<string, unknown> {
  const routes = tables.flatMap((table) => table({ guard: {} } as never));
  const examples = JSON.parse(readFileSync(EXAMPLES_FILE, "utf8")) as Record<string, Example>;
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    version: string;
  };
  return openApiDocument(routes, examples, version);
}

/** The text of the file. */
export function apiDescriptionText(): string {
  return `${JSON.stringify(apiDescription(), null, 2)}\n`;
}
