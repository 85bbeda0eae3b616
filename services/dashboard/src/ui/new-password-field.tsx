// An input for a new password. It shows the rules from the start, and can show the password, so it need not be typed twice.
import { useState } from "react";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import "./new-password-field.css";

interface NewPasswordFieldProps {
  readonly name: string;
  readonly error: string | undefined;
}

const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 1_024;

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
