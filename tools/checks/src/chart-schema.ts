// Makes the schema of the chart's values from values.yaml, in which each value has a default that shows its type, and from the
// settings of the services. Helm refuses what the schema does not allow; the service checks whether a setting is in range.
import { readFileSync } from "node:fs";
import path from "node:path";
import { settings as content } from "@tradepost/content/config";
import { settings as gateway } from "@tradepost/gateway/config";
import { settings as orders } from "@tradepost/orders/config";
import { settings as webhooks } from "@tradepost/webhooks/config";
import { parse } from "yaml";
import { ROOT } from "./root.ts";

const CHART = "deploy/kubernetes/chart";
/** The templates, a Secret or only `npm start` set these. */
const NOT_IN_SETTINGS =
  /^(PORT|METRICS_PORT|SIGN_IN_LINKS|DASHBOARD_DIR|CLIENT_PACKAGE_FILE|CONTENT_MEDIA_DIR)$|_CA_FILE$|_URL$|_SECRETS?$|_KEYS?$|_KEY_ID$/;
const SETTINGS = { gateway, orders, content, webhooks };
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  pullPolicy: ["Always", "IfNotPresent", "Never"],
  accessMode: ["ReadWriteMany", "ReadWriteOnce"],
};

/** Returns the schema as a generated file: its name and text. */
export function chartSchema(): [file: string, text: string] {
  const values = parse(readFileSync(path.join(ROOT, CHART, "values.yaml"), "utf8"));
  const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schemaOf(values, []) };
  return [`${CHART}/values.schema.json`, `${JSON.stringify(schema, null, 2)}\n`];
}

function schemaOf(value: unknown, at: readonly string[]): object {
  const name = at.at(-1) ?? "";
  if (name === "settings") return settingsSchema(at[0] ?? "");
  if (Array.isArray(value)) return { type: "array" };
  if (typeof value === "number") return { type: "integer", minimum: 0 };
  if (typeof value === "boolean") return { type: "boolean" };
  if (typeof value === "string")
    return { type: "string", ...(CHOICES[name] && { enum: CHOICES[name] }), ...(value && { minLength: 1 }) };
  const fields = Object.entries(value as object);
  // An empty object is a part of a Kubernetes object, and `resources` is one.
  if (fields.length === 0 || name === "resources") return { type: "object" };
  const properties = fields.map(([key, field]) => [key, schemaOf(field, [...at, key])]);
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(properties) };
}

function settingsSchema(component: string): object {
  const own = Object.entries(SETTINGS).filter(
    ([service]) => component === "settings" || service === component,
  );
  const names = new Set(own.flatMap(([, { shape }]) => Object.keys(shape)));
  const allowed = [...names].filter((name) => !NOT_IN_SETTINGS.test(name)).toSorted();
  const properties = allowed.map((name) => [name, { type: ["string", "integer", "boolean"] }]);
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(properties) };
}
