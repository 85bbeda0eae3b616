// How far a recovery has come. It has an address, so it can be left and found again.
import { Link } from "@tanstack/react-router";
import { useRead } from "../../data/use-read.ts";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/section.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";

interface RecoveryProgressProps {
  readonly id: string;
  readonly subscriptionId: string;
}

const LIVE_MS = 1_000;

export function RecoveryProgress({ id, subscriptionId }: RecoveryProgressProps) {
  const read = useRead(
    "getRecovery",
    { path: { id } },
    { everyMs: ({ finishedAt }) => finishedAt === null && LIVE_MS },
  );
  return (
    <Section
      title="Recovery"
      action={
        <Link to="/webhooks/$subscriptionId" params={{ subscriptionId }}>
          Hide
        </Link>
      }
    >
      <ReadView read={read}>
        {({ since, until, matched, requeued, finishedAt }) => (
          <>
            <p className="soft">
              Deliveries that failed from <ExactTime at={since} /> to <ExactTime at={until} />.
            </p>
            <Progress label="Queued to be sent again" done={requeued} total={matched} />
            <p>
              <span role="status">{finishedAt === null ? "It goes on…" : "Finished."}</span>{" "}
              <Link to="/deliveries" search={{ subscriptionId }}>
                See them arrive
              </Link>
            </p>
          </>
        )}
      </ReadView>
    </Section>
  );
}
