import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import { say } from "../../data/messages.ts";
import { counted } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog, DialogButton } from "../../ui/change-dialogs.tsx";
import { ProofField, proofOf } from "../../ui/code-field.tsx";
import { Note } from "../../ui/note.tsx";
import { Section } from "../../ui/screen.tsx";
import { SecondFactorSetup } from "../../ui/second-factor-setup.tsx";
import { Badge } from "../../ui/value.tsx";

const FEW_CODES = 3;

export function SecondFactor() {
  const { secondFactor } = useMe().actor;
  const [isSettingUp, setSettingUp] = useState(false);
  const cache = useQueryClient();
  // The rest of the screen may change only after the recovery codes are stored.
  const finish = async () => {
    await cache.invalidateQueries({ queryKey: ["getMe"] });
    setSettingUp(false);
    say("Your second factor is on. Your other sessions have ended.");
    await cache.invalidateQueries({ queryKey: ["listMySessions"] });
  };
  if (secondFactor === undefined) return null;
  const { enabled, recoveryCodesLeft } = secondFactor;
  return (
    <Section
      title="Second factor"
      intro="With it, a sign-in needs a code from your phone besides the password."
      action={
        <>
          <DialogButton text="Remove" isOffered={enabled}>
            <RemoveDialog />
          </DialogButton>
          {!enabled && !isSettingUp && <Button text="Set up" onClick={() => setSettingUp(true)} />}
        </>
      }
    >
      {enabled ? (
        <p className="row">
          <Badge tone="good">On</Badge> {leftText(recoveryCodesLeft)}
        </p>
      ) : isSettingUp ? (
        <SecondFactorSetup onDone={finish}>
          <Button text="Cancel" onClick={() => setSettingUp(false)} />
        </SecondFactorSetup>
      ) : (
        <p className="row">
          <Badge tone="quiet">Off</Badge>
        </p>
      )}
      {enabled && recoveryCodesLeft < FEW_CODES && (
        <Note tone="warning" title="Few recovery codes are left">
          <p>To get new ones, remove the second factor and set it up again.</p>
        </Note>
      )}
    </Section>
  );
}

function leftText(count: number): string {
  if (count === 0) return "No recovery codes are left.";
  return `${counted(count, "recovery code is", "recovery codes are")} left.`;
}

function RemoveDialog() {
  const { secondFactor } = useMe().actor;
  return (
    <ChangeDialog
      title="Remove your second factor?"
      action="Remove second factor"
      look="danger"
      operation="removeSecondFactor"
      input={(form) => ({ body: proofOf(form) })}
      stale={["getMe", "listMySessions"]}
      done="Your second factor is removed. Your other sessions have ended."
    >
      <p>
        {secondFactor?.required
          ? "Your shop requires one, so you then set up another one."
          : "Then your password is all that a sign-in needs."}{" "}
        Your recovery codes stop working, and your other sessions end.
      </p>
      <ProofField />
    </ChangeDialog>
  );
}
