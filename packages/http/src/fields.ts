import { isRawNumber, ReceivedJson, VerbatimJson } from "@tradepost/json";
import { data as currencies } from "currency-codes";
import { z } from "zod";

const shapes = new WeakMap<object, z.ZodType>();

/**
 * Makes the API description show `schema` as `shape`, and returns `schema` (interface §11): transforms, custom checks and parsed
 * texts have no JSON Schema. The shape validates nothing. Schemas described or refined from `schema` share it; a transform needs its
 * own.
 */
export function shaped<Schema extends object>(schema: Schema, shape: z.ZodType): Schema {
  shapes.set(schema, shape);
  return schema;
}

/** Returns the shape of the schema, or of the schema that it was described or refined from. */
export function shapeOf(schema: z.core.$ZodType): z.ZodType | undefined {
  return shapes.get(schema) ?? (schema._zod.parent && shapeOf(schema._zod.parent));
}

// Control characters may change how a text is shown; `findUnstorable` refuses U+0000 everywhere.
const CONTROL = "\\u0001-\\u001f\\u007f-\\u009f";
const CONTROL_IN_LINES = "\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f";
const HAS_CONTROL = new RegExp(`[${CONTROL}]`);
const HAS_CONTROL_IN_LINES = new RegExp(`[${CONTROL_IN_LINES}]`);

/** Returns a fault for control characters (interface §1), or null. `hasLines` allows line breaks and tabs. */
export function controlFault(value: string, hasLines: boolean): string | null {
  if (!(hasLines ? HAS_CONTROL_IN_LINES : HAS_CONTROL).test(value)) return null;
  return `must not contain control characters${hasLines ? " other than line breaks and tabs" : ""}`;
}

/**
 * The schema of one line of at most `charactersMax` characters, not only white space (interface §1). `hasLines` allows line breaks and
 * tabs, `mayBeEmpty` a text of white space.
 */
export function text(
  charactersMax: number,
  { hasLines = false, mayBeEmpty = false }: { hasLines?: boolean; mayBeEmpty?: boolean } = {},
) {
  const refused = (hasLines ? CONTROL_IN_LINES : CONTROL).replace("\\u0001", "\\u0000");
  const shape = mayBeEmpty ? `^[^${refused}]*$` : `^[^${refused}]*[^\\s${refused}][^${refused}]*$`;
  return shaped(
    z
      .string("must be a string")
      .max(charactersMax, `must be at most ${charactersMax} characters`)
      .refine((value) => mayBeEmpty || value.trim() !== "", "must not be empty")
      .superRefine((value, context) => {
        const message = controlFault(value, hasLines);
        if (message !== null) context.addIssue({ code: "custom", message });
      }),
    z.string().max(charactersMax).regex(new RegExp(shape)),
  );
}

// These make a name look like another one: embeddings, overrides and isolates of the direction of text, and tags.
const IS_MISLEADING = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
// The flags of England, Scotland and Wales, whose tags follow a black flag.
const FLAGS =
  /\u{1f3f4}\u{e0067}\u{e0062}(\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;
const IS_VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The schema of a name: a `text` with a visible character, without characters that only change how other characters are shown. */
export function name(charactersMax: number) {
  return text(charactersMax).superRefine((value, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    if (IS_MISLEADING.test(value.replaceAll(FLAGS, ""))) {
      refuse("must not contain tags or characters that change the direction of text");
    }
    if (value.trim() !== "" && !IS_VISIBLE.test(value)) refuse("must not contain only invisible characters");
  });
}

// RFC 5321.
const EMAIL_CHARACTERS_MAX = 320;
// The local part is a dot-atom (RFC 5322); the domain has at least two labels (RFC 1035). The last is not a number and may be the ASCII
// form of a name in another script (RFC 5890).
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@(${LABEL}\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`);

/** At most 320 characters, without quoted local parts, letters other than ASCII and addresses in place of domains. */
export const email = shaped(
  z
    .string("must be an e-mail address")
    .max(EMAIL_CHARACTERS_MAX, {
      error: `must be at most ${EMAIL_CHARACTERS_MAX} characters`,
      abort: true,
    })
    .pipe(z.email({ pattern: EMAIL, error: "must be an e-mail address" })),
  z.email().max(EMAIL_CHARACTERS_MAX),
);

/** A query field: a number of at most 4 digits. */
export function numberIn(min: number, max: number, byDefault: number, description: string) {
  const rule = `must be a number from ${min} to ${max}`;
  return shaped(
    z
      .string()
      .regex(/^\d{1,4}$/, rule)
      .transform(Number)
      .refine((number) => number >= min && number <= max, rule)
      .default(byDefault),
    z.int().min(min).max(max).default(byDefault).describe(description),
  );
}

// RFC 5646 recommends 35; a spelling that is not canonical may be longer.
const LANGUAGE_TAG_CHARACTERS_MAX = 35;
const LANGUAGE_TAG_CHARACTERS_READ_MAX = 255;

/** The output is the canonical form: `de-at` becomes `de-AT`. */
export const languageTag = shaped(
  z.string("must be a string").transform((tag, context) => {
    try {
      const [canonical] = tag.length > LANGUAGE_TAG_CHARACTERS_READ_MAX ? [] : Intl.getCanonicalLocales(tag);
      if (canonical !== undefined && canonical.length <= LANGUAGE_TAG_CHARACTERS_MAX) return canonical;
    } catch {
      // Reported below.
    }
    context.addIssue({ code: "custom", message: "must be a language tag: en, de-AT" });
    return z.NEVER;
  }),
  z
    .string()
    .max(LANGUAGE_TAG_CHARACTERS_READ_MAX)
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/),
);

/** With an offset from UTC; stays text. A later `.transform` or `.refine` sees only valid times. */
export const timestamp = z.iso.datetime({
  offset: true,
  abort: true,
  error: ({ input }) => {
    const rule = "must be an ISO 8601 timestamp with its offset, like 2026-08-20T09:30:00Z";
    // A `+` that the caller did not encode in the query.
    const hasBlank = typeof input === "string" && / \d\d:\d\d$/.test(input);
    return hasBlank ? `${rule}; in a query, the "+" of an offset must be sent as %2B` : rule;
  },
});

const TIME_CHARACTERS_MAX = 64;
// ISO 8601 also allows years, offsets and lengths for which Postgres reports an error.
const postgresAccepts = (time: string) =>
  /^(?!0000).*(Z|[+-](0\d|1[0-5]):\d\d)$/.test(time) && time.length <= TIME_CHARACTERS_MAX;

/** Stays text, because a Date has only milliseconds. */
export const storableTime = timestamp.refine(
  postgresAccepts,
  `must be after the year 0, less than 16 hours from UTC, and at most ${TIME_CHARACTERS_MAX} characters`,
);

/** An object with any keys. */
export const jsonObject = shaped(
  z.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value),
    "must be an object",
  ),
  z.looseObject({}).describe("An object with any fields"),
);

/**
 * The schema of an object or a list whose text the route keeps (`keepsTextOf`). `schema` validates the value; the output has
 * both. Without the text it throws an Error.
 */
export function withText<Value>(schema: z.ZodType<Value>) {
  return z.unknown().transform((input, context): { text: string; value: Value } => {
    const isReceived = input instanceof ReceivedJson;
    const parsed = schema.safeParse(isReceived ? input.value : input, { reportInput: true });
    if (!parsed.success) {
      context.issues.push(...(parsed.error.issues as typeof context.issues));
      return z.NEVER;
    }
    if (!isReceived) throw new Error("the route must keep the text of this field");
    return { text: input.text, value: parsed.data };
  });
}

/** The schema of an object of at most `kibMax` KiB that is stored and returned as the text that was received (interface §1). */
export function verbatimObject(fields: z.ZodType, kibMax: number) {
  return withText(fields)
    .refine(({ text }) => Buffer.byteLength(text) <= kibMax * 1024, `must be at most ${kibMax} KiB of JSON`)
    .transform(({ text }) => new VerbatimJson(text));
}

const METADATA_KIB_MAX = 64;

/** A `jsonObject` of at most 64 KiB, returned verbatim. */
export const metadata = shaped(
  verbatimObject(jsonObject, METADATA_KIB_MAX),
  z.looseObject({}).describe(`An object with any fields, at most ${METADATA_KIB_MAX} KiB of JSON text`),
);

/** Reports whether a value is a UUID in lower case, as Postgres writes it. */
export function isUuid(text: string): boolean;
export function isUuid(value: unknown): value is string;
export function isUuid(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

/** Currencies that ISO 4217 has and the package does not have yet: the Caribbean guilder, since March 2025. */
const NEWER = [{ code: "XCG", digits: 2, countries: ["Curaçao", "Sint Maarten (Dutch Part)"] }];
const byCode = new Map([...NEWER, ...currencies].map((currency) => [currency.code, currency]));

/** Returns the minor digits of a currency by ISO 4217 (USD 2, JPY 0, KWD 3); null without such a code. */
export function minorDigitsOf(code: string): number | null {
  return byCode.get(code)?.digits ?? null;
}

/** An ISO 4217 code, but not one for a metal such as XAU (gold), for tests (XTS) or for no currency (XXX). */
export const currency = z
  .string("must be a string")
  // The list names placeholders such as `Zz08_gold` instead of countries.
  .refine(
    (code) => byCode.get(code)?.countries.some((name) => !name.startsWith("Zz")) ?? false,
    "must be an ISO 4217 currency code in use",
  );

/** The name of an IANA time zone, in any case. An offset is not a name. */
export const timeZone = z
  .string()
  .max(64, "must be at most 64 characters")
  .refine(isTimeZone, "must be the name of a time zone, like Europe/Lisbon");

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
