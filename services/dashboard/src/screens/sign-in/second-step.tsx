// The second step of a sign-in: a code of the authenticator app, or a recovery code.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { finishSignIn, type Proof, type UnfinishedSignIn } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import { ProofField, proofOf } from "../../ui/code-field.tsx";
import { Form } from "../../ui/form.tsx";
import { Mark } from "../../ui/icons.tsx";
import { Note } from "../../ui/note.tsx";
import { isLimited, Refusal } from "./refusal.tsx";

const LIFETIME_MS = 5 * 60_000;

interface SecondStepProps {
  readonly unfinished: UnfinishedSignIn;
  /** Goes back to the e-mail and the password. */
  readonly onBegin: () => void;
}

export function SecondStep(props: SecondStepProps) {
  useEffect(() => {
    document.title = "Enter your code · Tradepost";
  }, []);
  return (
    <main className="alone">
      <div className="sign-in">
        <header>
          <Mark />
          <h1>Enter your code</h1>
        </header>
        <SecondStepForm {...props} />
      </div>
    </main>
  );
}

export function SecondStepForm({ unfinished, onBegin }: SecondStepProps) {
  const hasExpired = useHasExpired();
  const attempt = useMutation<void, Failure, Proof>({
    mutationFn: (proof) => finishSignIn(unfinished, proof),
  });
  const errors = fieldErrors(attempt.error?.details ?? [], ["code", "recoveryCode"]);
  if (hasExpired)
    return (
      <>
        <Note tone="warning" title="That took too long" isAlert>
          <p>For your safety, begin again with your password.</p>
        </Note>
        <Button look="primary" onClick={onBegin}>
          Begin again
        </Button>
      </>
    );
  return (
    <Form failure={attempt.error} onSubmit={(form) => attempt.mutate(proofOf(form))}>
      {attempt.error && (
        <Refusal
          failure={attempt.error}
          advice="Wait for the next code of the app, and check that the time of your phone is right."
          onOver={attempt.reset}
        />
      )}
      <ProofField errors={errors.byField} />
      <Button type="submit" look="primary" isBusy={attempt.isPending || isLimited(attempt.error)}>
        {attempt.isPending ? "Signing in…" : "Sign in"}
      </Button>
      <Button look="quiet" onClick={onBegin}>
        Begin again
      </Button>
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
