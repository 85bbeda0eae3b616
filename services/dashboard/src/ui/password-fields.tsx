import { useState } from "react";
import { useMe } from "../data/me.ts";
import { Button } from "./button.tsx";
import { Field, TextField } from "./field.tsx";

const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 1_024;

/** Shows the rules from the start. It can show the password, so the user need not type it twice. */
export function NewPasswordField({ name }: { readonly name: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      label="New password"
      hint={`At least ${CHARACTERS_MIN} characters, and not a common password. Several words in a row are easy to remember and hard to guess.`}
      path={name}
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

/** Proves that it is not someone else at an unlocked screen. Read it with `currentPasswordOf`. */
export function CurrentPasswordField({ isFocused = false }: { readonly isFocused?: boolean }) {
  const isLinked = !!useMe().actor.identity;
  const hint = isLinked && "Leave it empty if you have signed in at your provider within 5 minutes.";
  return (
    <TextField
      label="Current password"
      hint={hint || undefined}
      name="currentPassword"
      type="password"
      autoComplete="current-password"
      autoFocus={isFocused}
      required={!isLinked}
    />
  );
}

export function currentPasswordOf(form: FormData): { readonly currentPassword?: string } {
  const currentPassword = String(form.get("currentPassword"));
  return currentPassword === "" ? {} : { currentPassword };
}
