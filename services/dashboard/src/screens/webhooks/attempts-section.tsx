// How the attempts at a subscription went in the last day.
import { useRead } from "../../data/use-read.ts";
import { BarChart } from "../../ui/bar-chart.tsx";
import { Section } from "../../ui/screen.tsx";
import { ReadView } from "../../ui/views.tsx";
import { barsOf, figuresOf, lastDay } from "./attempts-statistics.ts";
import "./attempts-section.css";

const LIVE_MS = 5_000;
const SERIES = [
  { name: "Succeeded", tone: "good" },
  { name: "Failed", tone: "danger" },
] as const;

export function AttemptsSection({ subscriptionId }: { readonly subscriptionId: string }) {
  const query = { subscriptionId, by: "hour", ...lastDay(Date.now()) } as const;
  const read = useRead("getWebhookStatistics", { query }, { everyMs: LIVE_MS });
  return (
    <Section title="Attempts">
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
                label="Attempts by hour in the last 24 hours"
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
