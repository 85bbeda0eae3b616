import type { DataOf } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { money } from "../../format/money.ts";
import { dateText } from "../../format/shop.ts";
import { counted } from "../../format/words.ts";
import { Amount } from "../../ui/amount.tsx";
import { BarChart } from "../../ui/bar-chart.tsx";
import { Section } from "../../ui/screen.tsx";
import { ReadView } from "../../ui/views.tsx";
import { type Sales as CurrencySales, changeText, salesOf } from "./sales.ts";
import "./sales.css";

interface SalesProps {
  readonly read: {
    readonly data: DataOf<"getOrderStatistics"> | undefined;
    readonly error: Failure | null;
    readonly refetch: () => unknown;
  };
}

const SHOWN_MAX = 2;

export function Sales({ read }: SalesProps) {
  return (
    <Section
      title="Sales"
      intro="Orders that were placed and not cancelled. Revenue is their totals less refunds."
    >
      <ReadView read={read}>{(statistics) => <Currencies all={salesOf(statistics)} />}</ReadView>
    </Section>
  );
}

function Currencies({ all }: { readonly all: readonly CurrencySales[] }) {
  if (all.length === 0) return <p className="latest-none">No order was placed in the last 60 days.</p>;
  const more = all.slice(SHOWN_MAX);
  return (
    <>
      {all.slice(0, SHOWN_MAX).map((sales) => (
        <Currency key={sales.currency} sales={sales} />
      ))}
      {more.length > 0 && (
        <details className="more-sales">
          <summary>{more.map(({ currency }) => currency).join(", ")}</summary>
          {more.map((sales) => (
            <Currency key={sales.currency} sales={sales} />
          ))}
        </details>
      )}
    </>
  );
}

const PERIOD_NAMES: Readonly<Record<number, { readonly now: string; readonly before: string }>> = {
  1: { now: "Today", before: "Yesterday" },
  7: { now: "7 days", before: "7 days before" },
  30: { now: "30 days", before: "30 days before" },
};

const BEFORE = "30 days before";

function Currency({ sales: { currency, periods, days } }: { readonly sales: CurrencySales }) {
  const bars = (value: "orders" | "revenue") =>
    days.map(({ at, now, before }) => ({
      id: at,
      label: dateText(at, { day: "numeric", month: "short" }),
      values: [now[value]],
      before: before[value],
    }));
  return (
    <article className="sales" aria-label={`Sales in ${currency}`}>
      <ul>
        {periods.map(({ days: length, now, before }) => {
          // Today is not over, so it is not compared.
          const change = (value: "orders" | "revenue") =>
            length > 1 ? changeText(now[value], before[value]) : undefined;
          return (
            <li key={length}>
              <h3>{PERIOD_NAMES[length]?.now}</h3>
              <p className="sales-revenue">
                <Amount amount={now.revenue} currency={currency} /> <Change text={change("revenue")} />
              </p>
              <p>
                {counted(now.orders, "order")} <Change text={change("orders")} />
              </p>
              <p className="soft">
                {PERIOD_NAMES[length]?.before}: <Amount amount={before.revenue} currency={currency} />,{" "}
                {counted(before.orders, "order")}
              </p>
            </li>
          );
        })}
      </ul>
      <div className="sales-charts">
        <BarChart
          label={`Revenue in ${currency}, 30 days`}
          unit="Day"
          series={[{ name: "Revenue", tone: "accent" }]}
          bars={bars("revenue")}
          before={BEFORE}
          format={(amount) => money(amount, currency)}
        />
        <BarChart
          label={`Orders in ${currency}, 30 days`}
          unit="Day"
          series={[{ name: "Orders", tone: "accent" }]}
          bars={bars("orders")}
          before={BEFORE}
        />
      </div>
    </article>
  );
}

function Change({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <span className="sales-change number">{text}</span>;
}
