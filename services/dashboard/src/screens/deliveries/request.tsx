// The latest attempt's request, as it was sent.
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/section.tsx";
import { curlOfRequest, headerLines, prettyBody, type SentRequest } from "./sent-request.ts";
import "./request.css";

export function Request({ request }: { readonly request: SentRequest }) {
  const curl = curlOfRequest(request);
  return (
    <Section title="Request" intro="As the latest attempt sent it, without the signatures.">
      {request.url === undefined ? (
        <p>A listener fetched it: it has no URL.</p>
      ) : (
        <CodeBlock text={`POST ${request.url}`} what="the request’s address" />
      )}
      <div className="request-parts">
        <details>
          <summary>Headers</summary>
          <CodeBlock text={headerLines(request)} what="the headers" />
          <p className="note-small">The values of the subscription’s own headers are never shown.</p>
        </details>
        <details open>
          <summary>Body</summary>
          <CodeBlock text={prettyBody(request)} what="the body" />
        </details>
        <details>
          <summary>Body, byte for byte</summary>
          <CodeBlock text={request.body} what="the exact body" />
          <p className="note-small">
            The signature is over these bytes. Verify it before the body is parsed.
          </p>
        </details>
        {curl !== undefined && (
          <details>
            <summary>As curl</summary>
            <CodeBlock text={curl} what="the request as curl" />
            <p className="note-small">
              It has no signature, so a receiver that verifies refuses it. Redeliver sends a signed one.
            </p>
          </details>
        )}
      </div>
    </Section>
  );
}
