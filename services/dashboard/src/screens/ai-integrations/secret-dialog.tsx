// Shows a new key once, with the texts that its owner pastes into other programs.
import { CodeBlock } from "../../ui/code.tsx";
import { ShownOnceDialog } from "../../ui/dialog.tsx";
import { mcpConfiguration } from "../guides/door.tsx";

export interface NewSecret {
  readonly label: string;
  /** Null if the request was carried out earlier, because the secret was shown then. */
  readonly key: string | null;
  readonly remark?: string;
}

interface SecretDialogProps {
  readonly secret: NewSecret;
  readonly onStored: () => void;
}

export function SecretDialog({ secret: { label, key, remark }, onStored }: SecretDialogProps) {
  return (
    <ShownOnceDialog
      title={`Your new key “${label}”`}
      secret={key && <CodeBlock text={key} what="the key" />}
      now={["Store it now", "Tradepost keeps only a hash of the key and cannot show it again."]}
      lost={[
        "The key exists, but its secret was sent before",
        "If you do not have it, revoke the key and create another.",
      ]}
      onDone={onStored}
    >
      {key !== null && <Uses secret={key} />}
      {remark !== undefined && <p>{remark}</p>}
    </ShownOnceDialog>
  );
}

function Uses({ secret }: { readonly secret: string }) {
  const { origin } = location;
  const uses = [
    // The names that the client and the command line read.
    ["For a program: .env", `TRADEPOST_URL=${origin}\nTRADEPOST_API_KEY=${secret}`, "the lines for .env"],
    ["For an assistant: MCP configuration", mcpConfiguration(origin, secret), "the MCP configuration"],
    [
      "Prove that it works: curl",
      `curl -sS ${origin}/v1/me -H 'Authorization: Bearer ${secret}'`,
      "the curl command",
    ],
  ] as const;
  return (
    <>
      <div className="usage">
        {uses.map(([title, text, what]) => (
          <details key={title} name="usage">
            <summary>{title}</summary>
            <CodeBlock text={text} what={what} />
          </details>
        ))}
      </div>
      <p className="note-small">Keep it on servers: never in a web page, an app or a public repository.</p>
    </>
  );
}
