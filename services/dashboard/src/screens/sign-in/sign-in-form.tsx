// The first step of a sign-in: the e-mail and the password.
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import type { Failure } from "../../api/failure.ts";
import { signIn, type UnfinishedSignIn } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { isLimited, Refusal } from "./refusal.tsx";

type Attempt = UseMutationResult<UnfinishedSignIn | null, Failure, { email: string; password: string }>;

/** Its data is the unfinished sign-in of a user who needs a code. */
export function useSignIn(): Attempt {
  return useMutation({ mutationFn: ({ email, password }) => signIn(email, password) });
}

interface SignInFormProps {
  readonly attempt: Attempt;
  /** Of the user who has just set a password. */
  readonly email?: string | undefined;
}

export function SignInForm({ attempt, email }: SignInFormProps) {
  const submit = (form: FormData) =>
    attempt.mutate({ email: String(form.get("email")), password: String(form.get("password")) });
  return (
    <Form failure={attempt.error} onSubmit={submit}>
      {attempt.error ? (
        <Refusal failure={attempt.error} advice="Check both and try again." onOver={attempt.reset} />
      ) : (
        email !== undefined && <Note tone="info" title="Your password is set. Sign in with it." isAlert />
      )}
      <Field label="E-mail">
        {(control) => (
          <input
            {...control}
            className="input"
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={email}
            required
          />
        )}
      </Field>
      <Field label="Password">
        {(control) => (
          <input
            {...control}
            className="input"
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <Button type="submit" look="primary" isBusy={attempt.isPending || isLimited(attempt.error)}>
        {attempt.isPending ? "Signing in…" : "Sign in"}
      </Button>
      <p className="note-small">
        No password, or a forgotten one? An admin of your shop can give you a link to set a new one.
      </p>
    </Form>
  );
}
