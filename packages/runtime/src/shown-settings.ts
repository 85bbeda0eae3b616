import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";

const SECRET_NAME = /(SECRETS?|KEYS?|KEY_ID|PASSWORD|TOKEN)$/;
const URL_PASSWORD = /(:\/\/[^:@/,]*:)([^@/,]+)(?=@)/g;
const QUERY_PASSWORD = /([?&]\w*(?:password|secret|token|key)=)([^&#,]+)/gi;
const FINGERPRINT_CHARACTERS = 6;
// Variables that containers' platforms set for a service of the same name.
const PLATFORMS = /_(SERVICE_HOST|SERVICE_PORT|PORT_\d+)/;
// The migrations' setting, and the gateway's.
const OF_OTHERS = ["OWNER_DATABASE_URL", "URL"];

/**
 * Returns the settings that differ from the default, for the log. A secret, or the password in a URL, is replaced with a `#` and 6
 * characters of its SHA-256, so that two processes can be compared and a rotation shows.
 */
export function shownSettings(
  schema: z.ZodObject,
  environment: Record<string, string | undefined>,
  settings: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const shown = Object.entries(schema.shape).flatMap(([name, setting]) => {
    const text = environment[name];
    const byDefault = (setting as z.ZodType).safeParse(undefined);
    const isDefault = byDefault.success && isDeepStrictEqual(byDefault.data, settings[name]);
    return !text || isDefault ? [] : [[name, withoutSecrets(name, text)] as const];
  });
  return Object.fromEntries(shown);
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
export function unknownSettings(
  service: string,
  schema: z.ZodObject,
  environment: Record<string, string | undefined>,
): string[] {
  const prefix = `${service.toUpperCase()}_`;
  return Object.keys(environment).filter((name) => {
    if (!name.startsWith(prefix) || name in schema.shape || PLATFORMS.test(name)) return false;
    const rest = name.slice(prefix.length);
    // With the service's name in front, a setting is for this service of several in one process.
    return !(rest in schema.shape) && !OF_OTHERS.includes(rest);
  });
}
