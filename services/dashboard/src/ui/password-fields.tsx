import { useState } from "react";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";

interface NewPasswordFieldProps {
  readonly name: string;
  readonly error: string | undefined;
}

const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 1_024;

/** It shows the rules from the start, and can show the password, so it need not be typed twice. */
export function NewPasswordField({ name, error }: NewPasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      label="New password"
      hint={`At least ${CHARACTERS_MIN} characters, and not a common password. Several words in a row are easy to remember and hard to guess.`}
      error={error}
    >
      {(control) => (
        <span className="new-password">
          <input
            {...control}
            className="input"
            name={name}
            type={isShown ? "text" : "password"}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
            minLength={CHARACTERS_MIN}
            maxLength={CHARACTERS_MAX}
            required
          />
          <Button onClick={() => setShown(!isShown)}>
            {isShown ? "Hide" : "Show"}
            <span className="hidden"> the password</span>
          </Button>
        </span>
      )}
    </Field>
  );
}

interface CurrentPasswordFieldProps {
  readonly error: string | undefined;
  readonly isFocused?: boolean;
}

/** Proves that it is not someone else at an unlocked screen. The input is named `currentPassword`. */
export function CurrentPasswordField({ error, isFocused = false }: CurrentPasswordFieldProps) {
  return (
    <Field label="Current password" error={error}>
      {(control) => (
        <input
          {...control}
          className="input"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for it.
          autoFocus={isFocused}
          required
        />
      )}
    </Field>
  );
}
