// Shows a new key once, with the texts that its owner pastes into other programs.
import { CodeBlock } from "../../ui/code.tsx";
import { ShownOnceDialog } from "../../ui/dialog.tsx";
import { Note } from "../../ui/note.tsx";

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
    <ShownOnceDialog title={`Your new key “${label}”`} done="I have stored it" onDone={onStored}>
      {key === null ? <Lost /> : <Secret secret={key} />}
      {remark !== undefined && <p>{remark}</p>}
    </ShownOnceDialog>
  );
}

function Secret({ secret }: { readonly secret: string }) {
  const { origin } = location;
  return (
    <>
      <Note tone="warning" title="Store it now">
        <p>Tradepost keeps only a hash of the key and cannot show it again.</p>
      </Note>
      <CodeBlock text={secret} what="the key" />
      <div className="usage">
        <details name="usage">
          <summary>For a program: .env</summary>
          <CodeBlock text={environmentLines(origin, secret)} what="the lines for .env" />
        </details>
        <details name="usage">
          <summary>For an assistant: MCP configuration</summary>
          <CodeBlock text={mcpConfiguration(origin, secret)} what="the MCP configuration" />
        </details>
        <details name="usage">
          <summary>Prove that it works: curl</summary>
          <CodeBlock text={proof(origin, secret)} what="the curl command" />
        </details>
      </div>
      <p className="note-small">Keep it on servers: never in a web page, an app or a public repository.</p>
    </>
  );
}

function Lost() {
  return (
    <Note tone="danger" title="The key exists, but its secret was sent before">
      <p>If you do not have it, revoke the key and create another.</p>
    </Note>
  );
}

/** The lines of a `.env` file, with the names that the client and the command line read. */
function environmentLines(origin: string, key: string): string {
  return `TRADEPOST_URL=${origin}\nTRADEPOST_API_KEY=${key}`;
}

function mcpConfiguration(origin: string, key: string): string {
  const tradepost = { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return JSON.stringify({ mcpServers: { tradepost } }, null, 2);
}

function proof(origin: string, key: string): string {
  return `curl -sS ${origin}/v1/me -H 'Authorization: Bearer ${key}'`;
}
