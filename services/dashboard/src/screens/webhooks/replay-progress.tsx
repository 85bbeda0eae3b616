// The progress of a replay. It has an address, so that the user can leave it and come back.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../../data/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/section.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";
import { useIsAdmin } from "./only-admins.tsx";
import { INCLUDES, progressText, type Replay } from "./replay-draft.ts";

interface ReplayProgressProps {
  readonly id: string;
  readonly subscriptionId: string;
}

const LIVE_MS = 1_000;

export function ReplayProgress({ id, subscriptionId }: ReplayProgressProps) {
  const read = useRead(
    "getReplay",
    { path: { id } },
    { everyMs: ({ status }) => status === "running" && LIVE_MS },
  );
  return (
    <Section
      title="Replay"
      action={
        <Link to="/webhooks/$subscriptionId" params={{ subscriptionId }}>
          Hide
        </Link>
      }
    >
      <ReadView read={read}>{(replay) => <ReplayParts replay={replay} />}</ReadView>
    </Section>
  );
}

function ReplayParts({ replay }: { readonly replay: Replay }) {
  const [isCancelling, setCancelling] = useState(false);
  const isAdmin = useIsAdmin();
  const { id, subscriptionId, include, since, until, status, matched, requeued } = replay;
  return (
    <>
      <p className="soft">
        {INCLUDES[include].text}, from <ExactTime at={since} /> to <ExactTime at={until} />
      </p>
      <Progress
        label={status === "cancelled" ? "Sent" : "Queued to be sent"}
        done={requeued}
        total={matched}
      />
      <p>
        <span role="status">{progressText(replay)}</span>{" "}
        {requeued > 0 && (
          <Link to="/deliveries" search={{ subscriptionId }}>
            See them arrive
          </Link>
        )}
      </p>
      {isAdmin && status !== "cancelled" && (
        <div>
          <Button onClick={() => setCancelling(true)}>Cancel the replay</Button>
        </div>
      )}
      {isCancelling && (
        <Confirm
          title="Cancel the replay?"
          action="Cancel the replay"
          otherwise="Go on sending"
          operation="cancelReplay"
          input={{ path: { id } }}
          stale={["getReplay", "listReplays", "listDeliveries", "getSubscription"]}
          done={(replay) =>
            replay.status === "cancelled" ? "The replay is cancelled." : "Everything was sent already."
          }
          onClose={() => setCancelling(false)}
        >
          <p>
            What was not sent yet becomes what it was before, also if it is already queued. What was sent
            stays sent.
          </p>
        </Confirm>
      )}
    </>
  );
}
