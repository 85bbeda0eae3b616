import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Environment } from "./environment-of.ts";
import { parseSettings } from "./settings.ts";

const SECRET_NAME = /(SECRETS?|KEYS?|KEY_ID|PASSWORD|TOKEN)$/;
const URL_PASSWORD = /(:\/\/[^:@/]*:)([^/]+)(?=@)/g;
const QUERY_PASSWORD = /([?&]\w*(?:password|secret|token|key)=)([^&#,]+)/gi;
const FINGERPRINT_CHARACTERS = 6;
// Variables that container platforms set for a service of the same name.
const PLATFORMS = /_(SERVICE_HOST|SERVICE_PORT|PORT_\d+)/;
// Settings of the migrations, the gateway and the operators' commands.
const OF_OTHERS = ["OWNER_DATABASE_URL", "URL", "METRICS_URL"];

/**
 * Returns the settings that differ from the default, for the log. A secret, or the password in a URL, becomes a `#` and 6
 * characters of its SHA-256, so that processes can be compared and a rotation shows.
 */
export function shownSettings(schema: z.ZodObject, environment: Environment): Record<string, string> {
  const shown = showSettings(schema, environment).flatMap(({ name, value, source }) => {
    const setting = schema.shape[name] as z.ZodType;
    const [set, byDefault] = [environment[name], undefined].map((text) => setting.safeParse(text));
    const isDefault = byDefault?.success && isDeepStrictEqual(byDefault.data, set?.data);
    return value === null || source !== "environment" || isDefault ? [] : [[name, value] as const];
  });
  return Object.fromEntries(shown);
}

/**
 * Returns every setting, with secrets replaced. `value` and `source` are null if it is not set and has no default. `fault` says what
 * is wrong with it; the value is hidden then: it may have a secret.
 */
export function showSettings(schema: z.ZodObject, environment: Environment) {
  const issues = parseSettings(schema, environment).error?.issues ?? [];
  return Object.entries(schema.shape).map(([name, setting]) => {
    const text = environment[name] || undefined;
    const byDefault = defaultOf(setting as z.ZodType);
    const fault = issues.find(({ path }) => path[0] === name)?.message ?? null;
    const value = text === undefined ? byDefault : withoutSecrets(name, text);
    const source = text !== undefined ? "environment" : byDefault !== null ? "default" : null;
    return { name, value: fault === null ? value : null, source, fault };
  });
}

function defaultOf(setting: z.ZodType): string | null {
  const { defaultValue = "" } = setting.def as { readonly defaultValue?: unknown };
  return String(defaultValue) || null;
}

function withoutSecrets(name: string, text: string): string {
  if (SECRET_NAME.test(name)) return text.split(",").map(fingerprint).join(",");
  const replaced = (_whole: string, before: string, secret: string) => `${before}${fingerprint(secret)}`;
  return text.replace(URL_PASSWORD, replaced).replace(QUERY_PASSWORD, replaced);
}

function fingerprint(secret: string): string {
  return `#${hash("sha256", secret, "hex").slice(0, FINGERPRINT_CHARACTERS)}`;
}

/** Returns the variables that begin with the service's name but are no setting: probably misspelt. */
export function unknownSettings(service: string, schema: z.ZodObject, environment: Environment): string[] {
  const prefix = `${service.toUpperCase()}_`;
  return Object.keys(environment).filter((name) => {
    if (!name.startsWith(prefix) || name in schema.shape || PLATFORMS.test(name)) return false;
    const rest = name.slice(prefix.length);
    // With the service's name in front, a setting is for this service of several in one process.
    return !(rest in schema.shape) && !OF_OTHERS.includes(rest);
  });
}
