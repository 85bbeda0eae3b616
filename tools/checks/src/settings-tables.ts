// Builds the tables of settings from the schemas with which the services read their settings. Settings of all services are on the
// operator's page, other settings in the service's README.
import { settings as content } from "@tradepost/content/config";
import { settings as gateway } from "@tradepost/gateway/config";
import { settings as orders } from "@tradepost/orders/config";
import { settings as webhooks } from "@tradepost/webhooks/config";

interface Setting {
  readonly description?: string | undefined;
  readonly def: { readonly type: string; readonly defaultValue?: unknown };
  readonly safeParse: (value: unknown) => { readonly success: boolean };
}

export function settingsTables(): [page: string, table: string][] {
  const services = { gateway, orders, content, webhooks };
  const rows = Object.entries(services).map(([service, { shape }]) => ({ service, rows: rowsOf(shape) }));
  const isShared = (row: string) => rows.every((each) => each.rows.includes(row));
  return [
    ["docs/operating.md", tableOf(rows.flatMap((each) => each.rows.filter(isShared)))],
    ...rows.map((each): [string, string] => [
      `services/${each.service}/README.md`,
      tableOf(each.rows.filter((row) => !isShared(row))),
    ]),
  ];
}

function rowsOf(settings: Readonly<Record<string, Setting>>): string[] {
  return Object.entries(settings).map(([name, setting]) => {
    if (setting.description === undefined) throw new Error(`${name} has no description`);
    return `| \`${name}\` | ${whenNotSet(setting)} | ${setting.description} |\n`;
  });
}

function tableOf(rows: readonly string[]): string {
  return `| setting | default | meaning |\n|---|---|---|\n${[...new Set(rows)].join("")}`;
}

/** Writes a default as in the environment. */
function whenNotSet({ def, safeParse }: Setting): string {
  if (!safeParse(undefined).success) return "required";
  const { defaultValue } = def;
  if (defaultValue === undefined || defaultValue === "") return "none";
  if (!safeParse(String(defaultValue)).success) throw new Error(`${defaultValue} cannot be set`);
  return typeof defaultValue === "string" ? `\`${defaultValue}\`` : String(defaultValue);
}
