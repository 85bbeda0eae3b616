// Replaces the values in recorded examples that differ from run to run: ids, times, addresses and secrets. So a new recording
// changes only what the API changed, and the repository contains no real secret. Pure.
import type { RecordedExample } from "./recorder.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const STORY_STARTS_AT = Date.parse("2026-08-20T09:30:00.000Z");
const MINUTE_MS = 60_000;

// From the test vectors of RFC 6238.
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** The placeholders of secrets and of other random texts, by the name of the field. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  code: "492039",
  day: "2026-08-20",
  digest: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
  password: "correct-horse-battery-7",
  secret: SECRET,
  uri: `otpauth://totp/Tradepost:grace%40harbour-goods.example?secret=${SECRET}&issuer=Tradepost&algorithm=SHA1&digits=6&period=30`,
  keyId: "EXAMPLEKEYID",
  key: `sk_live_EXAMPLEKEYID_${"x".repeat(43)}`,
  signingSecret: `whsec_${"x".repeat(43)}=`,
  signingSecretPreview: "whsec_xx",
  "X-service-Signature": `sha256=${"0".repeat(64)}`,
  "webhook-signature": `v1,${"x".repeat(43)}=`,
  "webhook-timestamp": String(STORY_STARTS_AT / 1_000),
};

/** Replacements in texts: the receiver's address and the query of a signed link. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/localhost:\d+/g, "erp.harbour-goods.example"],
  [/\bexpires=\d+/g, `expires=${STORY_STARTS_AT / 1_000 + 86_400}`],
  [/\bsignature=[0-9a-f]+/g, `signature=${"0".repeat(64)}`],
];

/** The values of fields that depend on the speed of the story, by name. A key's use, for example, is written after a delay. */
const VALUES: Readonly<Record<string, unknown>> = {
  durationMs: 25,
  leaseId: "mekp3k00",
  lastUsedAt: new Date(STORY_STARTS_AT).toISOString(),
  recoveryCodes: Array.from("ABCDEFGHIJ", (letter) => Array(4).fill(letter.repeat(4)).join("-")),
};

/** Placeholders for a token: a JWT, which has three parts, or random bytes in base64url. */
const TOKEN_PLACEHOLDERS = {
  jwt: `eyJhbGciOiJIUzI1NiJ9.${"x".repeat(40)}.${"x".repeat(43)}`,
  random: "x".repeat(43),
};

/** Returns the examples, ordered by id, with placeholders. `startedAt` is the start of the story, in ms since the epoch. */
export function stableExamples(
  examples: ReadonlyMap<string, RecordedExample>,
  startedAt: number,
): Record<string, RecordedExample> {
  const recorded = [...examples];
  const times = stableTimes(recorded, startedAt);
  const ids = new Map<string, string>();
  const stable = recorded.map(([operationId, example]) => [
    operationId,
    replaced(example, (value, name) => textOf(value, name, ids, times)),
  ]);
  return Object.fromEntries(stable.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

type Replace = (text: string, name: string) => string;

function replaced(value: unknown, replace: Replace, name = ""): unknown {
  if (Object.hasOwn(VALUES, name)) return VALUES[name];
  if (typeof value === "string") return replace(value, name);
  if (Array.isArray(value)) return value.map((inner) => replaced(inner, replace, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaced(inner, replace, key)]),
  );
}

function textOf(text: string, name: string, ids: Map<string, string>, times: Map<string, string>): string {
  if (name === "token") return TOKEN_PLACEHOLDERS[text.includes(".") ? "jwt" : "random"];
  if (name === "nextCursor") return "MjAyNi0wOC0yMFQwOTozMDowMC4wMDBa";
  const placeholder = isOther(name, text) ? undefined : PLACEHOLDERS[name];
  if (placeholder !== undefined) return placeholder;
  const withTimes = text.replaceAll(TIME, (time) => times.get(time) ?? time);
  const withIds = withTimes.replaceAll(UUID, (id) => stableId(id, ids));
  return REPLACEMENTS.reduce((now, [part, stable]) => now.replaceAll(part, stable), withIds);
}

/** A field of a content type also has a key, which is not a secret, and a failure has a code. */
function isOther(name: string, text: string): boolean {
  return (name === "key" && !text.startsWith("sk_live_")) || (name === "code" && !/^\d{6}$/.test(text));
}

/** Returns the placeholder of an id. Ids are numbered in the order in which the story shows them. */
function stableId(id: string, ids: Map<string, string>): string {
  const stable = ids.get(id) ?? `0198c5a2-0000-7000-8000-${String(ids.size + 1).padStart(12, "0")}`;
  ids.set(id, stable);
  return stable;
}

/**
 * Returns the replacements of times. Times during the story become one minute apart. Planned times keep their distance from its
 * start.
 */
function stableTimes(examples: unknown, startedAt: number): Map<string, string> {
  const found = new Set<string>();
  replaced(examples, (text) => {
    for (const [time] of text.matchAll(TIME)) found.add(time);
    return text;
  });
  const now = Date.now();
  const sorted = [...found].sort();
  const stable = sorted.map((text, index) => {
    const time = Date.parse(text);
    const distance = Math.round((time - startedAt) / MINUTE_MS) * MINUTE_MS;
    return new Date(STORY_STARTS_AT + (time <= now ? index * MINUTE_MS : distance)).toISOString();
  });
  return new Map(sorted.map((text, index) => [text, stable[index] ?? text]));
}
