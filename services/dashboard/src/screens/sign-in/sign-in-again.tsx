// The sign-in over a screen with typed text, after its session has ended.
import { useQueryClient } from "@tanstack/react-query";
import type { DataOf } from "@tradepost/client/operations";
import type { Reply } from "../../api/send.ts";
import { session } from "../../session/session.ts";
import { useStore } from "../../session/use-store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { SecondStepForm, SignInForm, useSignIn } from "./sign-in-form.tsx";

export default function SignInAgain({ onDiscard }: { readonly onDiscard: () => void }) {
  const attempt = useSignIn();
  const current = useStore(session);
  const email = current.status === "signed out" ? current.email : undefined;
  const me = useQueryClient().getQueryData<Reply<DataOf<"getMe">>>(["getMe", {}]);
  return (
    <Dialog title="Sign in again" onClose={onDiscard} isDismissable={false} isCovering>
      {attempt.data ? (
        <SecondStepForm unfinished={attempt.data} onBegin={attempt.reset} />
      ) : (
        <>
          <p>
            Your session has ended. Sign in as {me ? <bdi>{me.data.actor.name}</bdi> : "the same user"} to go
            on with what you typed.
          </p>
          <SignInForm attempt={attempt} email={email} />
        </>
      )}
      <DialogActions>
        <Button text="Discard what I typed" onClick={onDiscard} />
      </DialogActions>
    </Dialog>
  );
}
