import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useRead } from "../../data/operations.ts";
import { number } from "../../format/shop.ts";
import { dayText } from "../../format/time.ts";
import { size } from "../../format/words.ts";
import { BarChart } from "../../ui/bar-chart.tsx";
import { ReadView } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { BehindTheScreen, Facts, Screen, Section } from "../../ui/screen.tsx";
import { daysOf, isNear, quotasOf, requestsOf } from "./usage-figures.ts";
import "./usage.css";

type Known = DataOf<"getUsage">;

const LIVE_MS = 60_000;
const SERIES = [
  { name: "Carried out", tone: "accent" },
  { name: "Refused by a limit", tone: "danger" },
] as const;

export default function Usage() {
  const read = useRead("getUsage", {}, { everyMs: LIVE_MS });
  return (
    <Screen
      title="Usage"
      intro="What this shop stores and asks for. The figures are at most five minutes old."
    >
      <ReadView read={read}>
        {(usage) => (
          <>
            <Quotas usage={usage} />
            <Stored usage={usage} />
            <Requests usage={usage} />
          </>
        )}
      </ReadView>
      <BehindTheScreen operation="getUsage" />
    </Screen>
  );
}

function Quotas({ usage }: { readonly usage: Known }) {
  const quotas = quotasOf(usage);
  return (
    <Section
      title="Quotas"
      intro="Beyond a quota nothing more is accepted. Reading, deleting and deliveries go on."
    >
      {quotas.filter(isNear).map(({ name }) => (
        <Note key={name} tone="warning" title={`${name}: nearly used up`}>
          <p>Delete what is no longer needed, or ask your operator for more.</p>
        </Note>
      ))}
      <dl className="quotas">
        {quotas.map(({ name, used, max, hint }) => (
          <div key={name} className="card">
            <dt>{name}</dt>
            <dd>
              {max !== null && (
                <meter aria-label={name} value={used} max={max} high={0.8 * max} optimum={0} />
              )}
              <span className="number">
                {size(used)} {max === null ? "· no quota" : `of ${size(max)}`}
              </span>
              <small className="soft">{hint}</small>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Stored({ usage }: { readonly usage: Known }) {
  const { orders, customers, entries, redirects, deliveriesWaiting } = usage;
  const counted = (count: number) => <span className="number">{number(count)}</span>;
  return (
    <Section title="Stored">
      <Facts
        label="What is stored"
        of={{
          Orders: counted(orders),
          Customers: counted(customers),
          Entries: counted(entries),
          Redirects: counted(redirects),
          "Deliveries that wait": counted(deliveriesWaiting),
        }}
      />
    </Section>
  );
}

function Requests({ usage: { requests } }: { readonly usage: Known }) {
  const { total, refused } = requestsOf(requests);
  return (
    <Section
      title="Requests"
      intro={`${number(total)} in the last 31 days${refused === 0 ? "" : `, of which ${number(refused)} were refused by a rate limit (429)`}. Days are those of UTC.`}
      action={<Link to="/requests">The log of requests</Link>}
    >
      <div className="usage-chart card">
        <BarChart
          label="Requests by day"
          unit="Day"
          series={SERIES}
          bars={daysOf(requests, Date.now()).map(({ day, count, refused: limited }) => ({
            id: day,
            label: dayText(day),
            values: [count - limited, limited],
          }))}
        />
      </div>
    </Section>
  );
}
