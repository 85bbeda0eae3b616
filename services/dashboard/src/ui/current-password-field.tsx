// An input for the user's own password, which proves that it is not someone else at an unlocked screen. It is named
// `currentPassword`.
import { Field } from "./field.tsx";

interface CurrentPasswordFieldProps {
  readonly error: string | undefined;
  readonly isFocused?: boolean;
}

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
