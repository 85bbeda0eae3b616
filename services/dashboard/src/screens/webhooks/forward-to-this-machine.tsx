// What the form of a subscription offers for a URL of the person's own machine, which the platform cannot reach.
import { quoted } from "../../api/curl.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Note } from "../../ui/note.tsx";
import { listenCommands, useOwnValues } from "../guides/door.ts";

const LOCAL = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/i;

export function isLocal(url: string): boolean {
  return LOCAL.test(url.trim());
}

export function ForwardToThisMachine({ url }: { readonly url: string }) {
  const { origin, key } = useOwnValues();
  return (
    <Note tone="info" title="Forward to this machine">
      <p>
        Webhooks cannot reach this URL. Instead of a subscription, run this on the machine: it fetches the
        events and sends them to the URL, until you stop it.
      </p>
      <CodeBlock text={listenCommands(origin, key, url.trim())} what="the commands" />
      {isLocal(origin) && (
        <p className="note-small">
          In the folder of <code>npm start</code>,{" "}
          <code>npm run listen -- --forward-to {quoted(url.trim())}</code> needs no key.
        </p>
      )}
    </Note>
  );
}
