// The time to validate input of the content service grows in proportion to its length, whatever it contains: the tests double
// the size and compare processor times.
import { ApiError, validate } from "@tradepost/http";
import { growthOf, LINEAR_GROWTH_MAX, repeated } from "@tradepost/testing";
import fc from "fast-check";
import { contentTypeInput, isTypeSlug, repeatedKeys } from "../src/content-type/content-type-input.ts";
import { dataFaults } from "../src/content-type/fields.ts";
import { changedFields } from "../src/entry/entry-data.ts";
import { entryInput, scheduleInput } from "../src/entry/entry-input.ts";
import { cleanFilename } from "../src/media/receive-upload.ts";
import { fileHeaders, responseFor, servedFile } from "../src/media/serve-file.ts";
import { redirectInput } from "../src/redirect/redirect-input.ts";

const SIZES = { min: 2 * 1024, max: 256 * 1024 };
const RUNS = 40;

const FIELDS = [
  { key: "text", type: "text", required: true },
  { key: "time", type: "datetime", required: true },
  { key: "picture", type: "media", required: true },
] as const;
const MEDIA = {
  id: "00000000-0000-7000-8000-000000000000",
  filename: "a.png",
  content_type: "image/png",
  size_bytes: "1000000000",
  sha256: "0",
  variants: [],
} as unknown as Parameters<typeof servedFile>[1];

const VALIDATIONS: Record<string, (text: string) => unknown> = {
  "a filename": (text) => {
    const file = servedFile("t", { ...MEDIA, filename: cleanFilename(text) });
    if (file !== null) fileHeaders(file);
  },
  "a range": (range) => responseFor("GET", { range: `bytes=${range}`, "if-none-match": range }, fileOf()),
  "a redirect": (text) => validate(redirectInput, { from: text, to: `/${text}`, type: text }),
  "a redirect to elsewhere": (text) => validate(redirectInput, { from: "/a", to: `https://${text}` }),
  "an entry": (text) => validate(entryInput, { type: text, slug: text, locale: text, data: { text } }),
  "an entry's data": (text) =>
    dataFaults({ text, time: text, picture: text, [text]: 1 }, FIELDS, { mustBeComplete: true }),
  "data like other data": (text) => changedFields({ text }, { text: `${text} ` }),
  "a content type": (text) => {
    const body = { name: text, fields: [{ key: text, type: text }, { key: text }] };
    validate(contentTypeInput, body, repeatedKeys(body));
  },
  "a content type's slug": isTypeSlug,
  "a time to publish": (publishAt) => validate(scheduleInput, { publishAt }),
};

function fileOf() {
  const file = servedFile("t", MEDIA);
  if (file === null) throw new Error("the media has a file");
  return file;
}

describe("the processor time of a validation grows no faster than the length of the input", () => {
  const PIECES = [
    ...["a", "A", "0", "-", ".", "/", "//", "\\", "?", "#", "%", "%2e", "%zz", "..", ";", "="],
    ...[" ", "\t", "\n", "\u0000", "\u202e", "ä", "😀", "\ud800", "en-", "x-", "0-,", "1-2,", '"a",', "*"],
  ];
  const someOf = (minLength: number) =>
    fc.array(fc.constantFrom(...PIECES), { minLength, maxLength: 3 }).map((parts) => parts.join(""));
  const shape = fc.record({ start: someOf(0), piece: someOf(1), end: someOf(0) });

  test.each(Object.entries(VALIDATIONS))("of %s", async (_what, validation) => {
    await fc.assert(
      fc.asyncProperty(shape, async (of) => {
        const growth = await growthOf(SIZES, (size) => {
          const text = repeated(size, of);
          return () => orRefused(() => validation(text));
        });
        expect(growth).toBeLessThan(LINEAR_GROWTH_MAX);
      }),
      {
        numRuns: RUNS,
        examples: [
          [{ start: "/", piece: "/", end: "a" }],
          [{ start: "a", piece: "-a", end: "-" }],
          [{ start: "2026-01-01T00:00:00.", piece: "0", end: "Z" }],
          [{ start: "0-1", piece: ",2-1,5-6", end: "" }],
        ],
      },
    );
  });
});

/** A refusal is a result like any other; anything else fails the test. */
function orRefused(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
