import { type ReactNode, useState } from "react";
import { sentence } from "../../api/failure.ts";
import { duration } from "../../format/time.ts";
import { outcomeText } from "../../format/webhooks.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/screen.tsx";
import { ExactTime } from "../../ui/value.tsx";
import { type Attempt, curlOfRequest, type DeliveryWithAttempts, routeText } from "./summary.ts";

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const hasRounds = attempts.some(({ round }) => round > 1);
  return (
    <Section title="Attempts">
      {attempts.length === 0 ? (
        <p className="soft">None yet.</p>
      ) : (
        <ol className="attempts card">
          {attempts.toReversed().map((attempt) => (
            <AttemptItem
              key={`${attempt.round}.${attempt.attempt}`}
              attempt={attempt}
              hasRounds={hasRounds}
            />
          ))}
        </ol>
      )}
    </Section>
  );
}

function AttemptItem({ attempt, hasRounds }: { readonly attempt: Attempt; readonly hasRounds: boolean }) {
  const { round, attempt: number, at, durationMs, outcome, statusCode, responseBody } = attempt;
  return (
    <li className="attempt">
      <div className="attempt-head">
        <strong>Attempt {number}</strong>
        <span className="soft">
          {hasRounds && <>{round === 1 ? "first round" : `redelivery ${round - 1}`} · </>}
          <ExactTime at={at} /> · <span className="number">{duration(durationMs)}</span>
        </span>
      </div>
      <p>{sentence(outcomeText(outcome, statusCode))}</p>
      <p className="note-small">{routeText(attempt)}</p>
      {responseBody !== null && responseBody !== "" && (
        <details>
          <summary>The response{statusCode !== null && `: ${statusCode}`}</summary>
          <CodeBlock text={responseBody} what="the response" />
          <p className="note-small">Its first 2 KiB are kept. The text is the receiver’s own.</p>
        </details>
      )}
    </li>
  );
}

type SentRequest = NonNullable<DeliveryWithAttempts["request"]>;

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
          <CodeBlock
            text={Object.entries(request.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join("\n")}
            what="the headers"
          />
          <p className="note-small">The values of the subscription’s own headers are never shown.</p>
        </Part>
        <Part title="Body" isOpenAtFirst>
          <CodeBlock text={prettyBody(request.body)} what="the body" />
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

function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
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
