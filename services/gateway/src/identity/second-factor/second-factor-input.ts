// The bodies of the routes about second factors (interface §20).
import { z } from "zod";

// A code is 6 digits, a recovery code 16 characters with hyphens or blanks between them.
export const FACTOR_BODY_BYTES_MAX = 4 * 1024;
const RECOVERY_CODE_CHARACTERS_MAX = 64;

export const code = z
  .string("must be a string")
  .regex(/^ *(\d *){6}$/, "must be 6 digits")
  .transform((digits) => digits.replaceAll(" ", ""))
  .describe("The code that the authenticator app shows, with or without blanks. Each code works once");

const recoveryCode = z
  .string("must be a string")
  .max(RECOVERY_CODE_CHARACTERS_MAX, `must be at most ${RECOVERY_CODE_CHARACTERS_MAX} characters`)
  .describe("In place of `code`: one of the recovery codes. Each works once");

export function withProof<Fields extends z.ZodRawShape>(fields: Fields) {
  return z
    .strictObject({ ...fields, code: code.optional(), recoveryCode: recoveryCode.optional() })
    .refine((body) => sentIn(body).length > 0, {
      path: ["code"],
      message: "is required, unless recoveryCode is sent",
      when: isObject,
    })
    .refine((body) => sentIn(body).length < 2, {
      path: ["recoveryCode"],
      message: "must not be sent with a code",
      when: isObject,
    });
}

export const confirmInput = z.strictObject({ code });
export const removeInput = withProof({});

/** The rules are checked even if other fields are at fault, so that all faults are named. */
function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === "object" && value !== null;
}

function sentIn(body: { readonly [name: string]: unknown }): unknown[] {
  return [body.code, body.recoveryCode].filter((value) => value !== undefined);
}
