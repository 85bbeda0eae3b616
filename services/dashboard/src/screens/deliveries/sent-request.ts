// A request as it was sent, for people and for a terminal. Pure.
import { quoted } from "../../api/curl.ts";
import type { DeliveryWithAttempts } from "./summary.ts";

export type SentRequest = NonNullable<DeliveryWithAttempts["request"]>;

export function headerLines({ headers }: SentRequest): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

export function prettyBody({ body }: SentRequest): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export function isTest({ body }: SentRequest): boolean {
  try {
    return (JSON.parse(body) as { data?: { test?: unknown } } | null)?.data?.test === true;
  } catch {
    return false;
  }
}

// curl sets these itself.
const OF_THE_CONNECTION = /^(host|connection|content-length|transfer-encoding)$/i;

/** Returns a command that sends the same request; undefined for a listener's delivery, which has no address. */
export function curlOfRequest({ url, headers, body }: SentRequest): string | undefined {
  if (url === undefined) return undefined;
  const shown = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.test(name));
  return [
    `curl -sS -X POST ${quoted(url)}`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(body)}`,
  ].join(" \\\n  ");
}
