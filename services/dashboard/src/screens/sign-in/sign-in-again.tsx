// The sign-in over a screen with typed text, after its session has ended.
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { SecondStepForm } from "./second-step.tsx";
import { SignInForm, useSignIn } from "./sign-in-form.tsx";

interface SignInAgainProps {
  readonly onDiscard: () => void;
}

export default function SignInAgain({ onDiscard }: SignInAgainProps) {
  const attempt = useSignIn();
  return (
    <Dialog title="Sign in again" onClose={onDiscard} isDismissable={false} isCovering>
      {attempt.data ? (
        <SecondStepForm unfinished={attempt.data} onBegin={attempt.reset} />
      ) : (
        <>
          <p>Your session has ended. Sign in as the same user to go on with what you typed.</p>
          <SignInForm attempt={attempt} />
        </>
      )}
      <DialogActions>
        <Button onClick={onDiscard}>Discard what I typed</Button>
      </DialogActions>
    </Dialog>
  );
}
