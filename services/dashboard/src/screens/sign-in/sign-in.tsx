// Signs in with e-mail and password, and opens the address that was asked for.
import { useMutation } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { signIn } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Mark } from "../../ui/icons.tsx";
import { Note } from "../../ui/note.tsx";
import { Countdown } from "../../ui/time.tsx";
import "./sign-in.css";

const UNAUTHORIZED = 401;
const TOO_MANY = 429;

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
  const attempt = useMutation<void, Failure, { email: string; password: string }>({
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
  return (
    <main className="alone">
      <div className="sign-in">
        <header>
          <Mark />
          <h1>Sign in to Tradepost</h1>
        </header>
        <Form failure={attempt.error} onSubmit={submit}>
          {attempt.error ? (
            <Refusal failure={attempt.error} onOver={attempt.reset} />
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
          <Button
            type="submit"
            look="primary"
            isBusy={attempt.isPending || attempt.error?.status === TOO_MANY}
          >
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

function Refusal({ failure, onOver }: { readonly failure: Failure; readonly onOver: () => void }) {
  if (failure.status === TOO_MANY)
    return <Limited seconds={failure.retryAfterSeconds ?? 0} onOver={onOver} />;
  if (failure.status !== UNAUTHORIZED) return <ErrorNote failure={failure} />;
  return (
    <Note tone="danger" title={failure.message} isAlert>
      <p>Check both and try again.</p>
    </Note>
  );
}

function Limited({ seconds, onOver }: { readonly seconds: number; readonly onOver: () => void }) {
  const [until] = useState(() => Date.now() + seconds * 1_000);
  useEffect(() => {
    const timer = setTimeout(onOver, until - Date.now());
    return () => clearTimeout(timer);
  }, [until, onOver]);
  return (
    <Note tone="warning" title="Too many attempts" isAlert>
      <p>
        You can try again in <Countdown until={until} />
      </p>
    </Note>
  );
}
