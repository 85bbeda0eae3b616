// The recovery codes of a second factor, shown once: to copy, to store as a file, or to print.
import { Button } from "./button.tsx";
import { CodeBlock } from "./code.tsx";
import { Note } from "./note.tsx";
import { saveFile } from "./save-file.ts";
import { ShownOnceDialog } from "./shown-once-dialog.tsx";
import "./recovery-codes.css";

interface RecoveryCodesProps {
  /** Empty if an earlier response had them. */
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = codes.join("\n");
  const file = () => new Blob([`${text}\n`], { type: "text/plain" });
  return (
    <ShownOnceDialog title="Your recovery codes" done="I have stored them" onDone={onDone}>
      {codes.length === 0 ? (
        <Note tone="danger" title="The codes were sent before">
          <p>The second factor is on. If you do not have the codes, remove it and set it up again.</p>
        </Note>
      ) : (
        <>
          <Note tone="warning" title="Store them now">
            <p>
              Without your phone you sign in with one of them, each once. Tradepost cannot show them again.
              Keep them apart from your phone and your password.
            </p>
          </Note>
          <div className="recovery-codes">
            <h3 className="recovery-codes-title">Tradepost recovery codes for {location.host}</h3>
            <CodeBlock text={text} what="the recovery codes" />
          </div>
          <div className="row">
            <Button onClick={() => saveFile(file(), "tradepost-recovery-codes.txt")}>Download</Button>
            <Button onClick={() => print()}>Print</Button>
          </div>
        </>
      )}
    </ShownOnceDialog>
  );
}
