import { Link } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { filterLines } from "../../format/event-filter.ts";
import { absoluteTime } from "../../format/time.ts";
import { ALWAYS_OFFERED, EVENT_TYPES, type EventType, waitingText } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Fact, Facts, IdFact, TimeFact } from "../../ui/facts.tsx";
import { Time, Until } from "../../ui/time.tsx";
import { limitsText, PAYLOADS, type Subscription, stateOf } from "./texts.ts";

export function SubscriptionFacts({ subscription }: { readonly subscription: Subscription }) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const { id, name, url, events, health, createdAt } = subscription;
  return (
    <Facts label={`About ${name}`}>
      <HealthFacts health={health} />
      <Fact name="Ledger">
        <Link to="/webhooks/$subscriptionId/ledger" params={{ subscriptionId: id }}>
          What became of the events of each day
        </Link>
      </Fact>
      <Fact name="URL">
        <code>{url}</code>
      </Fact>
      <Fact name="Events">
        <EventTags events={events} inactive={subscription.inactiveEvents} />
      </Fact>
      <Fact name="Filter">
        <Filter subscription={subscription} />
      </Fact>
      <Fact name="Data">{PAYLOADS[subscription.payload]}</Fact>
      <Fact name="Limits">{limitsText(subscription)}</Fact>
      <Fact name="Headers">
        <Headers subscription={subscription} />
      </Fact>
      <Fact name="Signing secret">
        <Secret subscription={subscription} />
      </Fact>
      <TimeFact name="Created" at={createdAt} />
      <IdFact name="Id" id={id} what="subscription id" />
      {isAdmin && (
        <Fact name="Audit log">
          <Link to="/audit-log" search={{ targetId: id }}>
            What was done with it
          </Link>
        </Fact>
      )}
    </Facts>
  );
}

function HealthFacts({ health }: Pick<Subscription, "health">) {
  return (
    <>
      {health.downSince !== null && (
        <Fact name="Down since">
          {absoluteTime(health.downSince)} (<Time at={health.downSince} />)
        </Fact>
      )}
      {health.heldUntil !== null && (
        <Fact name="Held until">
          {absoluteTime(health.heldUntil)} (<Until at={health.heldUntil} />)
        </Fact>
      )}
      <Fact name="Waiting">{health.waiting === 0 ? "Nothing waits" : waitingText(health.waiting)}</Fact>
      <Fact name="Last success">
        <TimeOrNever at={health.lastSuccessAt} />
      </Fact>
      <Fact name="Last failure">
        <TimeOrNever at={health.lastFailureAt} />
      </Fact>
    </>
  );
}

function TimeOrNever({ at }: { readonly at: string | null }) {
  return at === null ? <span className="soft">Never</span> : <Time at={at} />;
}

function Filter({ subscription: { filter } }: { readonly subscription: Subscription }) {
  if (filter === null) return <span className="soft">None: all these events are sent</span>;
  return (
    <div className="lines">
      {filterLines(filter).map((line) => (
        <bdi key={line}>{line}</bdi>
      ))}
    </div>
  );
}

function Headers({ subscription: { headers } }: { readonly subscription: Subscription }) {
  const lines = Object.entries(headers);
  if (lines.length === 0) return <span className="soft">None</span>;
  return (
    <div className="lines">
      {lines.map(([name, value]) => (
        <code key={name}>
          {name}: {value}
        </code>
      ))}
    </div>
  );
}

function Secret({ subscription }: { readonly subscription: Subscription }) {
  const { signingSecretPreview, previousSecretUntil } = subscription;
  return (
    <div className="lines">
      <code>{signingSecretPreview}…</code>
      {previousSecretUntil !== null && (
        <span className="soft">
          The previous secret signs too. It ends <Time at={previousSecretUntil} />.
        </span>
      )}
    </div>
  );
}

type StateBadgeProps = { readonly subscription: Pick<Subscription, "active" | "health"> };

export function StateBadge({ subscription }: StateBadgeProps) {
  const { name, tone, fault } = stateOf(subscription);
  return (
    <div className="lines">
      <Badge tone={tone}>{name}</Badge>
      {fault !== "" && <span className="soft">{fault}</span>}
    </div>
  );
}

interface EventTagsProps {
  readonly events: readonly EventType[];
  /** Those that the operator no longer offers. */
  readonly inactive?: readonly EventType[];
}

export function EventTags({ events, inactive = [] }: EventTagsProps) {
  const all = ALWAYS_OFFERED.length;
  if (events.length === all && ALWAYS_OFFERED.every((type) => events.includes(type))) return `All ${all}`;
  return (
    <ul className="tags">
      {events.map((type) => (
        <li key={type} title={type}>
          {EVENT_TYPES[type]}
          {inactive.includes(type) && <span className="soft"> (no longer offered)</span>}
        </li>
      ))}
    </ul>
  );
}
