import { useState } from "react";
import { useMe } from "../data/me.ts";
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

/** Proves that it is not someone else at an unlocked screen. Read it with `currentPasswordOf`. */
export function CurrentPasswordField({ error, isFocused = false }: CurrentPasswordFieldProps) {
  const isLinked = !!useMe().actor.identity;
  const hint = isLinked && "Leave it empty if you have signed in at your provider within 5 minutes.";
  return (
    <Field label="Current password" hint={hint || undefined} error={error}>
      {(control) => (
        <input
          {...control}
          className="input"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for it.
          autoFocus={isFocused}
          required={!isLinked}
        />
      )}
    </Field>
  );
}

export function currentPasswordOf(form: FormData): { readonly currentPassword?: string } {
  const currentPassword = String(form.get("currentPassword"));
  return currentPassword === "" ? {} : { currentPassword };
}
