// Writes the catalog as a page for integrators: `docs/events.md`. Pure.
import { z } from "zod";
import { eventData } from "./event-data.ts";
import { type EventType, eventTypes } from "./event-types.ts";

const HEAD = `# Events

<!-- Made by \`npm run docs\` from packages/event-catalog. -->

Every event of the platform ([interface §6](interface.md#6-events-on-the-broker)). Tenants
[receive](receiving-webhooks.md) the subscribable ones as webhooks, with \`data\` as shown here. On the exchange
\`platform.events\` the routing key is the type, and the body is \`{id, type, tenant_id, occurred_at, request_id, actor,
data}\`. \`GET /v1/webhooks/event-types\` returns the subscribable types with their JSON Schema.
`;

/** Returns the whole page as Markdown. */
export function eventsDocument(): string {
  const emitted = eventTypes.filter(({ type }) => type in eventData);
  const reserved = eventTypes.filter(({ type }) => !(type in eventData));
  return [
    HEAD,
    "## For subscribers\n",
    ...emitted.filter(({ subscribable }) => subscribable).map(section),
    "## Inside the platform\n",
    ...emitted.filter(({ subscribable }) => !subscribable).map(section),
    "## Reserved\n\nThese types are in the catalog, and no service in this version emits them.\n",
    `${reserved.map(({ type }) => `\`${type}\``).join(", ")}.\n`,
  ].join("\n");
}

function section({ type, description }: EventType): string {
  const { schema, example } = eventData[type] ?? {};
  return [
    `### ${type}\n`,
    ...(description === null ? [] : [`${description}.\n`]),
    fenced(example),
    "| field | |",
    "|---|---|",
    ...fieldsOf("", schema === undefined ? {} : (z.toJSONSchema(schema) as Schema)),
    "",
  ].join("\n");
}

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** One row per field. Objects and lists have one row for each field inside them. */
function fieldsOf(path: string, schema: Schema, isOptional = false): string[] {
  const inner = schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
  const row = path === "" ? [] : [`| \`${path}\` | ${kindOf(schema)}${isOptional ? ", optional" : ""} |`];
  if (inner.items !== undefined) return [...row, ...fieldsOf(`${path}[]`, inner.items).slice(1)];
  const fields = Object.entries(inner.properties ?? {}).flatMap(([key, field]) =>
    fieldsOf(path === "" ? key : `${path}.${key}`, field, !inner.required?.includes(key)),
  );
  return [...row, ...fields];
}

function kindOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(kindOf))].join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.items !== undefined) return `list of ${kindOf(schema.items)}s`;
  return schema.format ?? schema.type ?? "any JSON";
}

function fenced(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}
