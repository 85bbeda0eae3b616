import { Link } from "@tanstack/react-router";
import { useChange } from "../../data/operations.ts";
import { FormDialog } from "../../ui/change-dialogs.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { ShownOnceDialog, useClose } from "../../ui/dialog.tsx";
import { OverlapField } from "../../ui/field.tsx";
import { errorNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { Time } from "../../ui/value.tsx";
import { STALE, type Subscription } from "./texts.ts";

interface RotateSecretDialogProps {
  readonly subscription: Subscription;
  readonly etag: string | undefined;
  readonly onRotated: (secret: NewSecret) => void;
}

/** Both secrets sign for a while, so that the receiver can be changed meanwhile. */
export function RotateSecretDialog({ subscription, etag, onRotated }: RotateSecretDialogProps) {
  const { id, name, previousSecretUntil } = subscription;
  const close = useClose();
  const rotate = useChange("rotateSubscriptionSecret", {
    stale: STALE,
    onDone: (secret) => {
      close();
      onRotated(secret);
    },
  });
  const isRefused = rotate.error?.code === "rotation_in_progress";
  const submit = (form: FormData) =>
    rotate.mutate({
      path: { id },
      body: { overlapHours: Number(form.get("overlapHours")), force: isRefused },
      ifMatch: etag,
    });
  return (
    <FormDialog
      title={`Rotate the secret of “${name}”`}
      action={isRefused ? "Rotate all the same" : "Rotate secret"}
      look={isRefused ? "danger" : "primary"}
      change={rotate}
      explain={(failure, details) =>
        isRefused ? <StillSigns until={previousSecretUntil} /> : errorNote(failure, details)
      }
      onSubmit={submit}
    >
      <p>You get a new secret, which is shown once.</p>
      <OverlapField
        label="The current secret goes on signing"
        none="Not at all"
        hint="Time to give the receiver the new one. Until then each delivery is signed with both."
      />
    </FormDialog>
  );
}

function StillSigns({ until }: { readonly until: string | null }) {
  return (
    <Note tone="warning" title="An earlier secret still signs" isAlert>
      <p>
        The secret was rotated lately, and the one before it ends{" "}
        {until === null ? "soon" : <Time at={until} />}. Rotating again ends it at once: a receiver that knows
        only that one refuses every delivery.
      </p>
    </Note>
  );
}

export interface NewSecret {
  readonly id: string;
  readonly name: string;
  /** Null if the request was carried out earlier, because the secret was shown then. */
  readonly signingSecret: string | null;
  readonly previousSecretUntil: string | null;
}

interface SecretDialogProps {
  readonly secret: NewSecret;
  readonly onStored: () => void;
}

export function SecretDialog({ secret, onStored }: SecretDialogProps) {
  const { name, signingSecret, previousSecretUntil } = secret;
  return (
    <ShownOnceDialog
      title={`The signing secret of “${name}”`}
      secret={signingSecret && <CodeBlock text={signingSecret} what="the secret" />}
      now={["Store it now", "Tradepost does not show it again. If it is lost, rotate it."]}
      lost={[
        "The secret was sent before",
        "If you do not have it, rotate the secret on the page of the subscription.",
      ]}
      onDone={onStored}
    >
      {signingSecret !== null && (
        <p>
          Each delivery is signed with it. Your receiver checks the signature, so that it accepts nothing from
          anyone else: the{" "}
          <Link to="/guides/$guide" params={{ guide: "receive-webhooks" }} target="_blank">
            guide
          </Link>{" "}
          has receivers in Node, Python, PHP, Go and Ruby to copy.
        </p>
      )}
      {previousSecretUntil !== null && (
        <p>
          The previous secret signs too, until it ends <Time at={previousSecretUntil} />. Give the receiver
          the new one before that.
        </p>
      )}
    </ShownOnceDialog>
  );
}
