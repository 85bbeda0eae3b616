// Inputs for the proof of a second factor: a code of the app, or a recovery code.
import { type ReactNode, useState } from "react";
import type { Proof } from "../session/session.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";

interface CodeFieldProps {
  readonly label?: string;
  readonly hint?: ReactNode;
  readonly error: string | undefined;
  readonly isFocused?: boolean;
}

// Apps show the digits in two groups, and people type the blank.
const CODE_PATTERN = " *([0-9] *){6}";
const CODE_CHARACTERS_MAX = 16;
const RECOVERY_CODE_CHARACTERS_MAX = 64;

/** The input is named `code`. */
export function CodeField({ label = "Code", hint, error, isFocused = false }: CodeFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          className="input number"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          // biome-ignore lint/a11y/noAutofocus: the only thing to do on the screen.
          autoFocus={isFocused}
          pattern={CODE_PATTERN}
          title="6 digits"
          maxLength={CODE_CHARACTERS_MAX}
          required
        />
      )}
    </Field>
  );
}

interface ProofFieldProps {
  readonly errors: { readonly code?: string | undefined; readonly recoveryCode?: string | undefined };
}

/** A code, or after a click a recovery code. Read it with `proofOf`. */
export function ProofField({ errors }: ProofFieldProps) {
  const [hasApp, setHasApp] = useState(true);
  return (
    <>
      {hasApp ? (
        <CodeField
          key="code"
          hint="The 6 digits that your authenticator app shows for Tradepost."
          error={errors.code}
          isFocused
        />
      ) : (
        <Field
          key="recovery"
          label="Recovery code"
          hint="One of the codes that you stored when you set up the second factor. Each works once."
          error={errors.recoveryCode}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              name="recoveryCode"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              // biome-ignore lint/a11y/noAutofocus: the user has just asked for it.
              autoFocus
              maxLength={RECOVERY_CODE_CHARACTERS_MAX}
              required
            />
          )}
        </Field>
      )}
      <div className="row">
        <Button look="quiet" onClick={() => setHasApp(!hasApp)}>
          {hasApp ? "Use a recovery code instead" : "Use the app instead"}
        </Button>
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
