// How the attempts at a subscription went in the last day or week, and its latest deliveries.
import { Link } from "@tanstack/react-router";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { BarChart } from "../../ui/bar-chart.tsx";
import { Section } from "../../ui/screen.tsx";
import { ListView, ReadView } from "../../ui/views.tsx";
import { DeliveryTable } from "../deliveries/door.tsx";
import { barsOf, figuresOf, periodOf } from "./attempts-statistics.ts";
import "./attempts-section.css";

interface AttemptsSectionProps {
  readonly subscriptionId: string;
  readonly days: (typeof PERIODS)[number]["days"];
}

const LIVE_MS = 5_000;
const PERIODS = [
  { days: 1, name: "24 hours" },
  { days: 7, name: "7 days" },
] as const;
const SERIES = [
  { name: "Succeeded", tone: "good" },
  { name: "Failed", tone: "danger" },
] as const;

export function AttemptsSection({ subscriptionId, days }: AttemptsSectionProps) {
  const query = { subscriptionId, by: "hour", ...periodOf(days, Date.now()) } as const;
  const read = useRead("getWebhookStatistics", { query }, { everyMs: LIVE_MS });
  return (
    <Section
      title="Attempts"
      action={
        <nav className="row" aria-label="Period">
          {PERIODS.map((period) => (
            <Link
              key={period.days}
              to="/webhooks/$subscriptionId"
              params={{ subscriptionId }}
              search={({ days: _, ...rest }) => (period.days === 1 ? rest : { ...rest, days: period.days })}
              activeOptions={{ exact: true }}
              className="period"
              replace
            >
              {period.name}
            </Link>
          ))}
        </nav>
      }
    >
      <ReadView read={read}>
        {({ buckets, total }) => {
          const { attempts, failed, p50, p95 } = figuresOf(total);
          return (
            <div className="attempt-statistics card">
              <dl>
                <Figure name="Attempts">{attempts}</Figure>
                <Figure name="Failed">{failed}</Figure>
                <Figure name="p50">{p50}</Figure>
                <Figure name="p95">{p95}</Figure>
              </dl>
              <BarChart
                label={`Attempts by hour in the last ${days === 1 ? "24 hours" : "7 days"}`}
                unit="Hour"
                series={SERIES}
                bars={barsOf(buckets)}
              />
            </div>
          );
        }}
      </ReadView>
    </Section>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{children}</dd>
    </div>
  );
}

const SHOWN = 10;

export function LatestDeliveries({ subscriptionId }: Pick<AttemptsSectionProps, "subscriptionId">) {
  const query = { subscriptionId, limit: SHOWN, include: "lastAttempt" } as const;
  const list = useList("listDeliveries", query, { everyMs: LIVE_MS });
  useRefreshAt(
    (list.items ?? []).map(({ nextAttemptAt }) => nextAttemptAt),
    list.refetch,
  );
  return (
    <Section
      title="Latest deliveries"
      action={
        <Link to="/deliveries" search={{ subscriptionId }}>
          All deliveries
        </Link>
      }
    >
      <ListView
        list={{ ...list, hasNextPage: false }}
        empty={<p className="soft">Nothing was sent yet. “Send a test” sends an example.</p>}
      >
        {(deliveries) => <DeliveryTable deliveries={deliveries} />}
      </ListView>
    </Section>
  );
}
