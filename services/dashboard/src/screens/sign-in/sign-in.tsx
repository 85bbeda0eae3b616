// Signs in with e-mail and password, and a code if the user has a second factor. Then it opens the address that was asked for.
import { useMutation } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Failure } from "../../api/failure.ts";
import { signIn, type UnfinishedSignIn } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Mark } from "../../ui/icons.tsx";
import { Note } from "../../ui/note.tsx";
import { isLimited, Refusal } from "./refusal.tsx";
import { SecondStep } from "./second-step.tsx";
import "./sign-in.css";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The e-mail of the user who has just set a password. Only this tab knows it. */
    readonly email?: string;
  }
}

export function SignIn() {
  const { next = "/" } = useSearch({ from: "/sign-in" });
  const email = useLocation({ select: ({ state }) => state.email });
  const navigate = useNavigate();
  const isSignedIn = useSession().status === "signed in";
  const attempt = useMutation<UnfinishedSignIn | null, Failure, { email: string; password: string }>({
    mutationFn: ({ email, password }) => signIn(email, password),
  });
  useEffect(() => {
    document.title = "Sign in · Tradepost";
  }, []);
  // Runs also when another tab has signed in.
  useEffect(() => {
    if (isSignedIn) void navigate({ href: next, replace: true });
  }, [isSignedIn, navigate, next]);
  const submit = (form: FormData) =>
    attempt.mutate({ email: String(form.get("email")), password: String(form.get("password")) });
  if (attempt.data) return <SecondStep unfinished={attempt.data} onBegin={attempt.reset} />;
  return (
    <main className="alone">
      <div className="sign-in">
        <header>
          <Mark />
          <h1>Sign in to Tradepost</h1>
        </header>
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
      </div>
    </main>
  );
}
