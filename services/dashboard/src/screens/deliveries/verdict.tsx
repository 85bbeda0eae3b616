// The state of a delivery, at the top of its page.
import { DELIVERY_STATUSES } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Until } from "../../ui/time.tsx";
import { isTest } from "./sent-request.ts";
import { type DeliveryWithAttempts, summaryOf } from "./summary.ts";
import "./verdict.css";

interface VerdictProps {
  readonly delivery: DeliveryWithAttempts;
  readonly isListener: boolean;
}

export function Verdict({ delivery, isListener }: VerdictProps) {
  const { status, nextAttemptAt, request } = delivery;
  const { text, tone } = DELIVERY_STATUSES[status];
  const summary = summaryOf(delivery, isListener);
  return (
    <section className="verdict" aria-label="What happened">
      <div className="row">
        <Badge tone={tone}>{text}</Badge>
        {request !== null && isTest(request) && <Badge tone="quiet">Test</Badge>}
      </div>
      <p className="verdict-title">
        {/* The countdown is left out: screen readers would read every second. */}
        <span role="status">{summary.title}</span>
        {status === "retrying" && nextAttemptAt !== null && (
          <>
            , <Until at={nextAttemptAt} />
          </>
        )}
      </p>
      {summary.text !== "" && <p className="soft">{summary.text}</p>}
    </section>
  );
}
