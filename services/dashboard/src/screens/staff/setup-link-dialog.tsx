// Shows a setup link once, to be sent to the person by hand.
import { CodeBlock } from "../../ui/code.tsx";
import { Note } from "../../ui/note.tsx";
import { ShownOnceDialog } from "../../ui/shown-once-dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { setupAddress } from "./manage.ts";

export interface SetupLink {
  readonly name: string;
  /** Null if the request was carried out earlier, because the link was shown then. */
  readonly token: string | null;
  readonly expiresAt: string | null;
}

interface SetupLinkDialogProps {
  readonly link: SetupLink;
  readonly onSent: () => void;
}

export function SetupLinkDialog({ link: { name, token, expiresAt }, onSent }: SetupLinkDialogProps) {
  return (
    <ShownOnceDialog title={`The setup link of “${name}”`} done="I have sent it" onDone={onSent}>
      {token === null ? (
        <Note tone="danger" title="The link was sent before">
          <p>If you do not have it, make a new one on the page of this person. It ends the earlier one.</p>
        </Note>
      ) : (
        <>
          <Note tone="warning" title="Send it to them now">
            <p>Tradepost sends no e-mail and cannot show the link again.</p>
          </Note>
          <CodeBlock text={setupAddress(location.origin, token)} what="the setup link" />
          <p>
            Whoever opens it chooses the password, so send it to this person only. It works once
            {expiresAt !== null && (
              <>
                {" "}
                and expires <Time at={expiresAt} />
              </>
            )}
            .
          </p>
        </>
      )}
    </ShownOnceDialog>
  );
}
