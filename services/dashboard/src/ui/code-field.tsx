// Inputs for the proof of a second factor: a code of the app, or a recovery code.
import { useState } from "react";
import type { Proof } from "../session/session.ts";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";

interface CodeFieldProps {
  readonly label?: string;
  readonly hint?: string;
  readonly isFocused?: boolean;
}

// Apps show the digits in two groups, and people type the blank.
const CODE_PATTERN = " *([0-9] *){6}";
const CODE_CHARACTERS_MAX = 16;
const RECOVERY_CODE_CHARACTERS_MAX = 64;

export function CodeField({ label = "Code", hint, isFocused = false }: CodeFieldProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      className="input number"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus={isFocused}
      pattern={CODE_PATTERN}
      title="6 digits"
      maxLength={CODE_CHARACTERS_MAX}
      required
    />
  );
}

/** A code, or after a click a recovery code. Read it with `proofOf`. */
export function ProofField() {
  const [hasApp, setHasApp] = useState(true);
  return (
    <>
      {hasApp ? (
        <CodeField
          key="code"
          hint="The 6 digits that your authenticator app shows for Tradepost."
          isFocused
        />
      ) : (
        <TextField
          key="recovery"
          label="Recovery code"
          hint="One of the codes that you stored when you set up the second factor. Each works once."
          name="recoveryCode"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          maxLength={RECOVERY_CODE_CHARACTERS_MAX}
          required
        />
      )}
      <div className="row">
        <Button
          text={hasApp ? "Use a recovery code instead" : "Use the app instead"}
          look="quiet"
          onClick={() => setHasApp(!hasApp)}
        />
      </div>
    </>
  );
}

/** The proof in the values of a form with a `CodeField` or a `ProofField`. */
export function proofOf(form: FormData): Proof {
  const recoveryCode = form.get("recoveryCode");
  return recoveryCode === null ? { code: codeOf(form) } : { recoveryCode: String(recoveryCode).trim() };
}

export function codeOf(form: FormData): string {
  return String(form.get("code")).replaceAll(" ", "");
}
