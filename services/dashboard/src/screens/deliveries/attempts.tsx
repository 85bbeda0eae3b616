// Every attempt of a delivery, the latest first, with the receiver's response.
import { sentence } from "../../api/field-errors.ts";
import { duration } from "../../format/duration.ts";
import { outcomeText } from "../../format/webhooks.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/section.tsx";
import { ExactTime } from "../../ui/time.tsx";
import type { Attempt } from "./summary.ts";
import "./attempts.css";

interface AttemptsProps {
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

export function Attempts({ attempts }: AttemptsProps) {
  const hasRounds = attempts.some(({ round }) => round > 1);
  return (
    <Section title="Attempts">
      {attempts.length === 0 ? (
        <p className="soft">None yet.</p>
      ) : (
        <ol className="attempts">
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
