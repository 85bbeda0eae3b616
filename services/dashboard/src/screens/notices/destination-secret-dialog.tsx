// The secret that signs notices, shown once.
import { CodeBlock } from "../../ui/code.tsx";
import { Note } from "../../ui/note.tsx";
import { ShownOnceDialog } from "../../ui/shown-once-dialog.tsx";

interface DestinationSecretDialogProps {
  readonly secret: string;
  readonly onStored: () => void;
}

export function DestinationSecretDialog({ secret, onStored }: DestinationSecretDialogProps) {
  return (
    <ShownOnceDialog title="The secret that signs notices" done="I have stored it" onDone={onStored}>
      <Note tone="warning" title="Store it now">
        <p>Tradepost does not show it again. If it is lost, rotate it.</p>
      </Note>
      <CodeBlock text={secret} what="the secret" />
      <p>
        Each request is signed with it, as the deliveries of a subscription are. Any{" "}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener">
          Standard Webhooks
        </a>{" "}
        library verifies it.
      </p>
    </ShownOnceDialog>
  );
}
