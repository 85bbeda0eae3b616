import { createSecretKey, type KeyObject } from "node:crypto";
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";
import { SEALING_KEY_ID, type SealingKey, type SealingKeys } from "./seal.ts";

const KEY_BYTES = 32;

const keyBytes = z
  .base64("must be base64 of 32 bytes")
  .transform((key) => Buffer.from(key, "base64"))
  .refine((key) => key.length === KEY_BYTES, "must be base64 of 32 bytes")
  .transform((key) => createSecretKey(key));

const keyList = z
  .string()
  .transform((list) => list.split(","))
  .refine((entries) => entries.every(isEntry), "must be id:base64 of 32 bytes, comma-separated")
  .transform((entries) =>
    entries.map((entry): SealingKey => {
      const [id, key] = parts(entry);
      return { id, key: keyBytes.parse(key) };
    }),
  )
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, "must not have an id twice");

export const sealingSettings = {
  WEBHOOKS_SEALING_KEYS: keyList
    .optional()
    .describe(
      "this or `WEBHOOKS_SEALING_KEY` is required. `id:base64,id:base64`, 32 bytes each; the first seals the signing secrets and the headers of subscriptions at rest, all open them ([rotation](../../docs/runbooks/rotating-secrets.md#sealing-keys))",
    ),
  WEBHOOKS_SEALING_KEY: keyBytes
    .optional()
    .describe("one key without an id, base64 of 32 bytes; it opens what was sealed before there were ids"),
  WEBHOOKS_SEALING_KEY_LOST: z
    .stringbool({ truthy: ["true"], falsy: ["false"], error: "must be true or false" })
    .default(false)
    .describe(
      "true starts although stored secrets cannot be opened. Their deliveries wait until each signing secret is rotated and the headers are set again",
    ),
};

export interface SealingSettings {
  readonly WEBHOOKS_SEALING_KEYS?: readonly SealingKey[] | undefined;
  readonly WEBHOOKS_SEALING_KEY?: KeyObject | undefined;
}

/** Runs even if other settings are wrong, so that all faults are named at once. */
export const hasSealingKey: [
  check: (settings: object) => boolean,
  fault: { path: string[]; message: string; when: () => boolean },
] = [
  (settings) => "WEBHOOKS_SEALING_KEYS" in settings || "WEBHOOKS_SEALING_KEY" in settings,
  {
    path: ["WEBHOOKS_SEALING_KEYS"],
    message: "is required, unless WEBHOOKS_SEALING_KEY is set",
    when: () => true,
  },
];

const environmentSchema = z.object(sealingSettings).refine(...hasSealingKey);

/** Throws SettingsError with all faults. */
export function readSealingKeys(environment: Record<string, string | undefined>): SealingKeys {
  return sealingKeysOf(readSettings(environmentSchema, environment));
}

export function sealingKeysOf(settings: SealingSettings): SealingKeys {
  const single = settings.WEBHOOKS_SEALING_KEY;
  const [first, ...others] = [
    ...(settings.WEBHOOKS_SEALING_KEYS ?? []),
    ...(single === undefined ? [] : [{ id: null, key: single }]),
  ];
  if (first === undefined) throw new Error("there is no sealing key");
  return [first, ...others];
}

function isEntry(entry: string): boolean {
  const [id, key] = parts(entry);
  return SEALING_KEY_ID.test(id) && keyBytes.safeParse(key).success;
}

function parts(entry: string): [id: string, key: string] {
  const at = entry.indexOf(":");
  return at === -1 ? ["", ""] : [entry.slice(0, at), entry.slice(at + 1)];
}
