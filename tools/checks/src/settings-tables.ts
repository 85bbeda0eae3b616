// The tables of settings in the READMEs of the services: made from the schemas that the services read their settings with.
import { settings as content } from "@tradepost/content/config";
import { settings as gateway } from "@tradepost/gateway/config";
import { settings as orders } from "@tradepost/orders/config";
import { settings as webhooks } from "@tradepost/webhooks/config";

/** A schema of zod, as far as the tables show it. */
interface Setting {
  readonly description?: string | undefined;
  readonly def: { readonly type: string; readonly defaultValue?: unknown };
  readonly safeParse: (value: unknown) => { readonly success: boolean };
}

/** The table of each service. */
export function settingsTables(): [service: string, table: string][] {
  return Object.entries({ gateway, orders, content, webhooks }).map(([service, { shape }]) => [
    service,
    tableOf(shape),
  ]);
}

function tableOf(settings: Readonly<Record<string, Setting>>): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    if (setting.description === undefined) throw new Error(`${name} has no description`);
    return `| \`${name}\` | ${whenNotSet(setting)} | ${setting.description} |\n`;
  });
  return `| setting | default | meaning |\n|---|---|---|\n${rows.join("")}`;
}

/** As one would write it in the environment. */
function whenNotSet({ def, safeParse }: Setting): string {
  if (!safeParse(undefined).success) return "required";
  const { defaultValue } = def;
  if (defaultValue === undefined || defaultValue === "") return "none";
  if (!safeParse(String(defaultValue)).success) throw new Error(`${defaultValue} cannot be set`);
  return typeof defaultValue === "string" ? `\`${defaultValue}\`` : String(defaultValue);
}
