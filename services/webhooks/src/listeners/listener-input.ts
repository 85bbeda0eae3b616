// Validates the bodies of the listener routes (interface §12). Pure.
import { type FieldFault, name, text, type Validate } from "@tradepost/http";
import { z } from "zod";
import { type Outcome, outcomes } from "../delivery-status.ts";
import { eventTypesInput } from "../event-filter.ts";
import { wholeNumber } from "../subscriptions/subscriptions.ts";

const EXPIRES_IN_HOURS_MAX = 720;
const LEASED_MAX = 100;
const WAIT_SECONDS_MAX = 25;
// The columns are `integer` and `smallint`.
const DURATION_MS_MAX = 2 ** 31 - 1;
const ATTEMPT_MAX = 2 ** 15 - 1;

export const listenerInput = (more: readonly string[]) =>
  z.strictObject({
    name: name(200).default("Listener"),
    events: eventTypesInput(more),
    expiresInHours: wholeNumber(1, EXPIRES_IN_HOURS_MAX).default(24),
  });

export type ListenerInput = z.output<ReturnType<typeof listenerInput>>;

export const leaseInput = z.strictObject({
  limit: wholeNumber(1, LEASED_MAX).default(10),
  waitSeconds: wholeNumber(0, WAIT_SECONDS_MAX).default(0),
});

const failures = outcomes.filter((outcome) => outcome !== "delivered" && outcome !== "http_status");

const fields = z.strictObject({
  leaseId: text(64)
    .optional()
    .describe("Of the lease. Without it, the result is refused if it was leased twice."),
  attempt: wholeNumber(1, ATTEMPT_MAX),
  statusCode: wholeNumber(100, 599),
  responseBody: z.string("must be a string").optional(),
  durationMs: wholeNumber(0, DURATION_MS_MAX),
  outcome: z.enum(failures, `must be one of ${failures.join(", ")}`),
});

export const resultWithResponse = fields.omit({ outcome: true });
export const resultWithoutResponse = fields
  .pick({ leaseId: true, attempt: true, outcome: true, durationMs: true })
  .partial({ durationMs: true });

const resultFields = fields.partial({ statusCode: true, durationMs: true, outcome: true });

type Fields = Partial<z.input<typeof resultFields>>;

/** Unlike a union, names every field at fault. */
const resultInput = resultFields
  .refine(({ statusCode, outcome }: Fields) => statusCode !== undefined || outcome !== undefined, {
    ...fault("statusCode", "is required without an outcome"),
  })
  .refine(({ statusCode, outcome }: Fields) => statusCode === undefined || outcome === undefined, {
    ...fault("outcome", "must be left out with a statusCode"),
  })
  .refine(({ statusCode, durationMs }: Fields) => statusCode === undefined || durationMs !== undefined, {
    ...fault("durationMs", "is required with a statusCode"),
  })
  .refine(({ statusCode, responseBody }: Fields) => statusCode !== undefined || responseBody === undefined, {
    ...fault("responseBody", "must be left out without a statusCode"),
  });

/** Runs even if other fields are at fault, so that the response names all. */
function fault(path: string, error: string) {
  const when = ({ value }: { value: unknown }) => typeof value === "object" && value !== null;
  return { path: [path], error, when };
}

export type ReportedResult = ReturnType<typeof readResult>;

const BODY_BYTES_STORED_MAX = 2_048;

/** Replaces the characters of a response body that the database cannot store. */
export function readResult(json: unknown, otherFaults: readonly FieldFault[], validate: Validate) {
  const result = validate(resultInput, withStorableBody(json), otherFaults);
  const isSuccess = result.statusCode !== undefined && result.statusCode >= 200 && result.statusCode < 300;
  const outcome: Outcome = result.outcome ?? (isSuccess ? "delivered" : "http_status");
  return {
    leaseId: result.leaseId,
    attempt: result.attempt,
    outcome,
    statusCode: result.statusCode ?? null,
    responseBody: result.statusCode === undefined ? null : startOf(result.responseBody ?? ""),
    durationMs: result.durationMs ?? 0,
  };
}

function withStorableBody(json: unknown): unknown {
  if (typeof json !== "object" || json === null || !("responseBody" in json)) return json;
  const { responseBody } = json;
  if (typeof responseBody !== "string") return json;
  return { ...json, responseBody: responseBody.toWellFormed().replaceAll("\u0000", "\uFFFD") };
}

function startOf(body: string): string {
  return Buffer.from(body).subarray(0, BODY_BYTES_STORED_MAX).toString("utf8");
}
