// Validating input takes time in proportion to its length, whatever it contains: the test doubles sizes and compares
// processor times.
import { ApiError, validate } from "@tradepost/http";
import { ReceivedJson } from "@tradepost/json";
import { growthOf, LINEAR_GROWTH_MAX, repeated } from "@tradepost/testing";
import fc from "fast-check";
import { deadLetters, jobs } from "../src/delivery/delivery.ts";
import { addressGuard } from "../src/endpoint/address.ts";
import { subscriptionInputs } from "../src/subscriptions/subscription-input.ts";

const SIZES = { min: 2 * 1024, max: 256 * 1024 };
const RUNS = 40;

const guard = addressGuard([]);
const { create } = subscriptionInputs({ guard, more: [] });
const VALID = { name: "a", url: "https://example.com", events: ["redirect.added"] };
const validateHeaders = (headers: object) =>
  validate(create, { ...VALID, headers: new ReceivedJson(JSON.stringify(headers), headers) });
const VALIDATIONS: Record<string, (text: string) => unknown> = {
  "a URL": (text) => validate(create, { name: "a", url: text, events: ["redirect.added"] }),
  "a URL's host": (text) => validate(create, { name: "a", url: `https://${text}`, events: [] }),
  "a host": (text) => guard.allowsHost(text.slice(0, 2_048)),
  "a name": (text) => validate(create, { name: text, url: "https://example.com", events: [text] }),
  "a list of events": (text) =>
    validate(create, { name: "a", url: "https://example.com", events: [...text] }),
  "a header": (text) => validateHeaders({ [text]: "1", "X-Key": text, "X-Other": text.slice(0, 1_024) }),
  "a message": (text) => [jobs.decode(Buffer.from(text)), deadLetters.decode(Buffer.from(text))],
  "a message's fields": (text) => {
    const fields = { delivery_id: text, tenant_id: text, generation: text, attempt: text };
    return jobs.decode(Buffer.from(JSON.stringify(fields)));
  },
};

describe("the time to validate grows with the length of the input, not faster", () => {
  const PIECES = [
    ...'a0-./:[]@%?#\\ \n\u0000ä😀"{',
    ...["::", "%41", "localhost.", "127.0.0.", "https://", "[[", '{"a":', "1e5,"],
  ];
  const someOf = (minLength: number) =>
    fc.array(fc.constantFrom(...PIECES), { minLength, maxLength: 3 }).map((parts) => parts.join(""));
  const shape = fc.record({ start: someOf(0), piece: someOf(1), end: someOf(0) });

  test.each(Object.entries(VALIDATIONS))("of %s", async (_title, validate) => {
    await fc.assert(
      fc.asyncProperty(shape, async (of) => {
        const growth = await growthOf(SIZES, (size) => {
          const text = repeated(size, of);
          return () => orRefused(() => validate(text));
        });
        expect(growth).toBeLessThan(LINEAR_GROWTH_MAX);
      }),
      {
        numRuns: RUNS,
        examples: [
          [{ start: "https://", piece: "localhost.", end: "a" }],
          [{ start: "https://[", piece: "::", end: "]" }],
          [{ start: "https://", piece: "0x1.", end: "1" }],
        ],
      },
    );
  });
});

test("the time to validate many headers grows with their number, not faster", async () => {
  const growth = await growthOf(SIZES, (size) => {
    const headers = Object.fromEntries(Array.from({ length: size }, (_, n) => [`X-${n}`, ""]));
    return () => orRefused(() => validateHeaders(headers));
  });
  expect(growth).toBeLessThan(LINEAR_GROWTH_MAX);
});

/** A validation error is a result; any other error fails the test. */
function orRefused(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
