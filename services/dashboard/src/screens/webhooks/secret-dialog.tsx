// Shows the signing secret of a subscription once, and explains how a receiver uses it.
import { Link } from "@tanstack/react-router";
import { CodeBlock } from "../../ui/code.tsx";
import { Note } from "../../ui/note.tsx";
import { ShownOnceDialog } from "../../ui/shown-once-dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { environmentLine, NODE_RECEIVER } from "./verification.ts";

export interface NewSecret {
  /** The subscription. */
  readonly id: string;
  readonly name: string;
  /** Null if the request was carried out earlier, because the secret was shown then. */
  readonly signingSecret: string | null;
  /** The time until which the replaced secret signs too. */
  readonly previousSecretUntil: string | null;
}

interface SecretDialogProps {
  readonly secret: NewSecret;
  readonly onStored: () => void;
}

export function SecretDialog({ secret, onStored }: SecretDialogProps) {
  const { name, signingSecret, previousSecretUntil } = secret;
  return (
    <ShownOnceDialog title={`The signing secret of “${name}”`} done="I have stored it" onDone={onStored}>
      {signingSecret === null ? <Lost /> : <Secret secret={signingSecret} />}
      {previousSecretUntil !== null && (
        <p>
          The previous secret signs too, until it ends <Time at={previousSecretUntil} />. Give the receiver
          the new one before that.
        </p>
      )}
    </ShownOnceDialog>
  );
}

function Secret({ secret }: { readonly secret: string }) {
  return (
    <>
      <Note tone="warning" title="Store it now">
        <p>Tradepost does not show it again. If it is lost, rotate it.</p>
      </Note>
      <CodeBlock text={secret} what="the secret" />
      <p>
        Each delivery is signed with it. Your receiver checks the signature, so that it accepts nothing from
        anyone else.
      </p>
      <div className="usage">
        <details name="usage">
          <summary>For the receiver: .env</summary>
          <CodeBlock text={environmentLine(secret)} what="the line for .env" />
        </details>
        <details name="usage">
          <summary>Verify in Node</summary>
          <CodeBlock text={NODE_RECEIVER} what="the receiver’s code" />
        </details>
        <details name="usage">
          <summary>Verify in any other language</summary>
          <p>
            Any{" "}
            <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener">
              Standard Webhooks
            </a>{" "}
            library verifies <code>webhook-signature</code>. The{" "}
            <Link to="/guides/$guide" params={{ guide: "receive-webhooks" }} target="_blank">
              guide
            </Link>{" "}
            has receivers in Python, PHP, Go, Ruby and Node to copy.
          </p>
        </details>
      </div>
    </>
  );
}

function Lost() {
  return (
    <Note tone="danger" title="The secret was sent before">
      <p>If you do not have it, rotate the secret on the page of the subscription.</p>
    </Note>
  );
}
