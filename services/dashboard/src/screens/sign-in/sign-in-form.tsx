import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { finishSignIn, type Proof, signIn, type UnfinishedSignIn } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import { ProofField, proofOf } from "../../ui/code-field.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { Alone } from "../../ui/screen.tsx";
import { Countdown } from "../../ui/value.tsx";

type Attempt = UseMutationResult<UnfinishedSignIn | null, Failure, { email: string; password: string }>;

/** Its data is the unfinished sign-in of a user who needs a code. */
export function useSignIn(): Attempt {
  return useMutation({ mutationFn: ({ email, password }) => signIn(email, password) });
}

interface SignInFormProps {
  readonly attempt: Attempt;
  readonly email?: string | undefined;
  /** Shown until an attempt fails. */
  readonly note?: ReactNode;
}

export function SignInForm({ attempt, email, note }: SignInFormProps) {
  const submit = (form: FormData) =>
    attempt.mutate({ email: String(form.get("email")), password: String(form.get("password")) });
  return (
    <Form
      failure={attempt.error}
      explain={(failure) => (
        <Refusal failure={failure} advice="Check both and try again." onOver={attempt.reset} />
      )}
      onSubmit={submit}
    >
      {attempt.error === null && note}
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        required
      />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      <Button
        text="Sign in"
        type="submit"
        look="primary"
        isBusy={attempt.isPending || isLimited(attempt.error)}
      />
      <p className="note-small">
        No password, or a forgotten one? An admin of your shop can give you a link to set a new one.
      </p>
    </Form>
  );
}

const LIFETIME_MS = 5 * 60_000;

interface SecondStepProps {
  readonly unfinished: UnfinishedSignIn;
  readonly onBegin: () => void;
}

export function SecondStep(props: SecondStepProps) {
  return (
    <Alone title="Enter your code">
      <SecondStepForm {...props} />
    </Alone>
  );
}

export function SecondStepForm({ unfinished, onBegin }: SecondStepProps) {
  const hasExpired = useHasExpired();
  const attempt = useMutation<void, Failure, Proof>({
    mutationFn: (proof) => finishSignIn(unfinished, proof),
  });
  if (hasExpired)
    return (
      <>
        <Note tone="warning" title="That took too long" isAlert>
          <p>For your safety, begin again with your password.</p>
        </Note>
        <Button text="Begin again" look="primary" onClick={onBegin} />
      </>
    );
  return (
    <Form
      failure={attempt.error}
      explain={(failure) => (
        <Refusal
          failure={failure}
          advice="Wait for the next code of the app, and check that the time of your phone is right."
          onOver={attempt.reset}
        />
      )}
      onSubmit={(form) => attempt.mutate(proofOf(form))}
    >
      <ProofField />
      <Button
        text="Sign in"
        type="submit"
        look="primary"
        isBusy={attempt.isPending || isLimited(attempt.error)}
      />
      <Button text="Begin again" look="quiet" onClick={onBegin} />
      <p className="note-small">
        Without the phone and the recovery codes, an admin of your shop can reset your second factor.
      </p>
    </Form>
  );
}

/** The browser's time may be wrong, so this counts from the first step. */
function useHasExpired(): boolean {
  const [hasExpired, setExpired] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setExpired(true), LIFETIME_MS);
    return () => clearTimeout(timer);
  }, []);
  return hasExpired;
}

const UNAUTHORIZED = 401;
const TOO_MANY = 429;

function isLimited(failure: Failure | null): boolean {
  return failure?.status === TOO_MANY;
}

interface RefusalProps {
  readonly failure: Failure;
  readonly advice: string;
  readonly onOver: () => void;
}

function Refusal({ failure, advice, onOver }: RefusalProps) {
  if (isLimited(failure)) return <Limited seconds={failure.retryAfterSeconds ?? 0} onOver={onOver} />;
  if (failure.status !== UNAUTHORIZED) return <ErrorNote failure={failure} />;
  return <Note tone="danger" title={failure.message} isAlert text={advice} />;
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
