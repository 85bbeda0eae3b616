// The problems that need attention first. Each part is read separately, so a part that cannot be read hides no other.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { explain } from "../../api/failure.ts";
import { SLOW_MS, useList } from "../../data/operations.ts";
import { DAY_MS } from "../../format/time.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { Section } from "../../ui/screen.tsx";
import { Badge, Time } from "../../ui/value.tsx";
import { countOfDeliveries, expiringKeys, subscriptionFaults } from "./attention.ts";

interface AttentionProps {
  /** Undefined if the shop has no module with events to deliver. */
  readonly subscriptions: ReturnType<typeof useList<"listSubscriptions">> | undefined;
  readonly keys: ReturnType<typeof useList<"listApiKeys">> | undefined;
}

const STEP_MS = 10 * 60_000;
const SHOWN_MAX = 5;

export function Attention({ subscriptions, keys }: AttentionProps) {
  // Rounded down, so that not every rendering starts a new query.
  const since = new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS - DAY_MS).toISOString();
  const failed = useList(
    "listDeliveries",
    { status: "failed", createdAfter: since, limit: 100 },
    { everyMs: SLOW_MS, isAllowed: subscriptions !== undefined },
  );
  const faults = subscriptionFaults(subscriptions?.items ?? []);
  const expiring = expiringKeys(keys?.items ?? [], Date.now());
  const parts = [
    { name: "subscriptions", list: subscriptions },
    { name: "failed deliveries", list: failed },
    { name: "API keys", list: keys },
  ];
  const unread = parts.filter(({ list }) => list?.items === undefined && list?.error);
  const failedCount = failed.items?.length ?? 0;
  const isQuiet = faults.length + expiring.length + failedCount === 0;
  if (isQuiet && unread.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul className="attention">
        <Faults faults={faults} />
        {failedCount > 0 && (
          <Item state="Failed" tone="danger">
            <Link to="/deliveries" search={{ status: "failed", from: since }}>
              {countOfDeliveries(failedCount, failed.hasNextPage)} failed in the last 24 hours
            </Link>
            <p className="soft">Given up after the last attempt. Each can be redelivered.</p>
          </Item>
        )}
        {expiring.slice(0, SHOWN_MAX).map(({ id, label, expiresAt }) => (
          <Item key={id} state="Expires soon" tone="warning">
            <TextLink to="/ai-integrations" text={label} />
            <p className="soft">
              This API key expires <Time at={expiresAt} />. Rotate it, so that its program goes on.
            </p>
          </Item>
        ))}
        {unread.map(({ name, list }) => (
          <Item key={name} state="Not known" tone="warning">
            <span role="alert">The {name} could not be read.</span>
            <p className="soft">
              {list?.error && `${explain(list.error).title}. ${explain(list.error).text}`}
            </p>
            <Button text="Try again" onClick={() => list?.refetch()} />
          </Item>
        ))}
      </ul>
    </Section>
  );
}

function Faults({ faults }: { readonly faults: ReturnType<typeof subscriptionFaults> }) {
  const more = faults.length - SHOWN_MAX;
  return (
    <>
      {faults.slice(0, SHOWN_MAX).map(({ id, name, tone, state, text }) => (
        <Item key={id} state={state} tone={tone}>
          <TextLink to="/webhooks/$subscriptionId" params={{ subscriptionId: id }} text={name} />
          <p className="soft">{text}</p>
        </Item>
      ))}
      {more > 0 && (
        <Item state="Subscriptions" tone="warning">
          <Link to="/webhooks">{more} more that fail or are paused</Link>
        </Item>
      )}
    </>
  );
}

interface ItemProps {
  readonly state: string;
  readonly tone: "danger" | "warning";
  readonly children: ReactNode;
}

function Item({ state, tone, children }: ItemProps) {
  return (
    <li>
      <Badge tone={tone}>{state}</Badge>
      <div>{children}</div>
    </li>
  );
}
