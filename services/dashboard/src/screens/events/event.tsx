// One event: its data, and for each subscription why it arrived or did not arrive.
import { Link, useParams } from "@tanstack/react-router";
import { useRead } from "../../data/use-read.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { EVENT_TYPES, isOpen } from "../../format/webhooks.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { CopiedId } from "../../ui/id.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Section } from "../../ui/section.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { ReadView } from "../../ui/views.tsx";
import type { EventWithMatches } from "./explanation.ts";
import { MatchTable } from "./match-table.tsx";

const LIVE_MS = 5_000;
const OVER_MS = 30_000;

export default function Event() {
  const { eventId } = useParams({ from: "/app/events/$eventId" });
  const input = { path: { id: eventId } };
  const receivers = useReceivers();
  const read = useRead("getWebhookEvent", input, {
    everyMs: ({ deliveries }) => (deliveries.some(({ status }) => isOpen(status)) ? LIVE_MS : OVER_MS),
  });
  return (
    <Screen
      title={read.data === undefined ? "Event" : `Event: ${EVENT_TYPES[read.data.type]}`}
      intro={read.data?.data.test && "An admin sent it as a test, to one subscription only."}
    >
      <ReadView read={read}>{(event) => <EventParts event={event} receivers={receivers} />}</ReadView>
      <BehindTheScreen operation="getWebhookEvent" input={input} />
    </Screen>
  );
}

interface EventPartsProps {
  readonly event: EventWithMatches;
  readonly receivers: Receivers;
}

function EventParts({ event, receivers }: EventPartsProps) {
  const { id, type, occurredAt, resourceId, requestId, data } = event;
  return (
    <>
      <Section
        title="Who got it"
        intro="Every subscription and listener of the shop, and why the event did or did not arrive there."
      >
        <MatchTable event={event} receivers={receivers} />
      </Section>
      <div className="columns">
        <Section title="Data" intro="What receivers get as data.">
          <CodeBlock text={JSON.stringify(data, null, 2)} what="the data" />
        </Section>
        <Facts label="This event">
          <Fact name="Type">
            <code>{type}</code>
          </Fact>
          <Fact name="Happened">
            <ExactTime at={occurredAt} />
          </Fact>
          {resourceId !== null && (
            <Fact name="About">
              <CopiedId id={resourceId} what="id" />
              <p>
                <Link to="/events" search={{ resourceId }}>
                  All events about it
                </Link>
              </p>
            </Fact>
          )}
          <Fact name="Request id">
            <CopiedId id={requestId} what="request id" />
          </Fact>
          <Fact name="Event id">
            <CopiedId id={id} what="event id" />
          </Fact>
          <Fact name="Deliveries">
            <Link to="/deliveries" search={{ eventId: id }}>
              All deliveries of it
            </Link>
          </Fact>
        </Facts>
      </div>
    </>
  );
}
