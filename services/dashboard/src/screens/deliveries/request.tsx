// The latest attempt's request, as it was sent.
import { type ReactNode, useState } from "react";
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
        <Part title="Headers">
          <CodeBlock text={headerLines(request)} what="the headers" />
          <p className="note-small">The values of the subscription’s own headers are never shown.</p>
        </Part>
        <Part title="Body" isOpenAtFirst>
          <CodeBlock text={prettyBody(request)} what="the body" />
        </Part>
        <Part title="Body, byte for byte">
          <CodeBlock text={request.body} what="the exact body" />
          <p className="note-small">
            The signature is over these bytes. Verify it before the body is parsed.
          </p>
        </Part>
        {curl !== undefined && (
          <Part title="As curl">
            <CodeBlock text={curl} what="the request as curl" />
            <p className="note-small">
              It has no signature, so a receiver that verifies refuses it. Redeliver sends a signed one.
            </p>
          </Part>
        )}
      </div>
    </Section>
  );
}

interface PartProps {
  readonly title: string;
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/** Renders its contents only while it is open, because a body can have two million characters. */
function Part({ title, isOpenAtFirst = false, children }: PartProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
