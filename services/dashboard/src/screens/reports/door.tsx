// The sales of a period in one currency, next to the same part of the period before.
import type { DataOf } from "@tradepost/client/operations";
import type { ReactNode } from "react";
import { SLOW_MS, useRead } from "../../data/operations.ts";
import { fractionDigits, money } from "../../format/money.ts";
import { dateText, number } from "../../format/shop.ts";
import { dayOf } from "../../format/time.ts";
import { BarChart } from "../../ui/bar-chart.tsx";
import { Button, TextLink } from "../../ui/button.tsx";
import { saveFile } from "../../ui/export-button.tsx";
import { ReadView } from "../../ui/list.tsx";
import { ScreenActions } from "../../ui/screen.tsx";
import { Amount } from "../../ui/value.tsx";
import { type Change, changeOf, csvOf, currenciesOf, figuresOf } from "./figures.ts";
import { PERIODS, type Period, periodOf, type ReportSearch, SHOWN, statisticsQuery } from "./period.ts";
import "./reports.css";

// Rounded down, so that not every rendering starts a new query.
const STEP_MS = 10 * 60_000;

interface SalesReportProps {
  readonly search: ReportSearch;
  /** True on the screen of reports, not on the overview. */
  readonly isSaved?: boolean;
  readonly children?: ReactNode;
}

export function periodNow(search: ReportSearch): Period {
  return periodOf(search, new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS));
}

/** `children` are more figures, below the sales. */
export function SalesReport({ search, isSaved = false, children }: SalesReportProps) {
  const { now, before, by } = periodNow(search);
  const options = { everyMs: SLOW_MS };
  const read = useRead("getOrderStatistics", { query: statisticsQuery(now, by, search.channel) }, options);
  const earlier = useRead(
    "getOrderStatistics",
    { query: statisticsQuery(before, by, search.channel) },
    options,
  );
  return (
    <ReadView read={read}>
      {(statistics) => (
        <Sales {...{ search, statistics, by, isSaved }} before={earlier.data}>
          {children}
        </Sales>
      )}
    </ReadView>
  );
}

type Statistics = DataOf<"getOrderStatistics">;

interface SalesProps extends SalesReportProps {
  readonly statistics: Statistics;
  readonly before: Statistics | undefined;
  readonly by: Period["by"];
}

const UNITS = { day: "Day", week: "Week", month: "Month" };
const LABELS: Readonly<Record<Period["by"], Intl.DateTimeFormatOptions>> = {
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "short", year: "numeric" },
};

function Sales({ search, statistics, before, by, isSaved, children }: SalesProps) {
  const currencies = currenciesOf(statistics.currencies);
  const currency = search.currency ?? currencies[0];
  if (currency === undefined) return <p className="report-none">No order was placed in this period.</p>;
  const bucketsIn = (all: Statistics | undefined) =>
    all?.currencies.find((one) => one.currency === currency)?.buckets ?? [];
  const [buckets, bucketsBefore] = [bucketsIn(statistics), bucketsIn(before)];
  const [sales, salesBefore] = [figuresOf(buckets), figuresOf(bucketsBefore)];
  const { show = "revenue", period = "30-days" } = search;
  const change = (value: "revenue" | "orders" | "average") => changeOf(sales[value], salesBefore[value]);
  const save = () => {
    const text = csvOf(currency, buckets, bucketsBefore);
    saveFile(new Blob([text], { type: "text/csv" }), `report-${dayOf(new Date())}.csv`);
  };
  return (
    <article className="report card" aria-label={`Sales in ${currency}`}>
      {isSaved && (
        <ScreenActions>
          <Button text="Save as CSV" onClick={save} />
        </ScreenActions>
      )}
      <Currencies {...{ search, currencies, currency }} />
      <dl className="report-figures">
        <Figure name="Revenue" change={change("revenue")}>
          <Amount amount={sales.revenue} currency={currency} />
        </Figure>
        <Figure name="Orders" change={change("orders")}>
          {number(sales.orders)}
        </Figure>
        <Figure name="Average order" change={change("average")}>
          {sales.average === null ? (
            "–"
          ) : (
            <Amount amount={Number(sales.average.toFixed(fractionDigits(currency)))} currency={currency} />
          )}
        </Figure>
        <Figure name="Refunded">
          <Amount amount={sales.refunded} currency={currency} />
        </Figure>
      </dl>
      {children}
      <BarChart
        label={`${SHOWN[show]} in ${currency}, ${PERIODS[period].toLowerCase()}`}
        unit={UNITS[by]}
        series={[{ name: SHOWN[show], tone: "accent" }]}
        bars={buckets.map((bucket, index) => ({
          id: bucket.at,
          label: dateText(bucket.at, LABELS[by]),
          values: [figuresOf([bucket])[show]],
          before: figuresOf(bucketsBefore.slice(index, index + 1))[show],
        }))}
        isTall
        {...(show === "revenue" && { format: (amount: number) => money(amount, currency) })}
      />
    </article>
  );
}

interface CurrenciesProps {
  readonly search: ReportSearch;
  readonly currencies: readonly string[];
  readonly currency: string;
}

function Currencies({ search, currencies, currency }: CurrenciesProps) {
  if (currencies.length < 2) return null;
  return (
    <nav className="report-currencies" aria-label="Currency">
      {currencies.map((one) => (
        <TextLink
          key={one}
          to="/reports"
          search={{ ...search, currency: one }}
          aria-current={one === currency ? "page" : undefined}
          text={one}
        />
      ))}
    </nav>
  );
}

interface FigureProps {
  readonly name: string;
  readonly change?: Change | undefined;
  readonly children: ReactNode;
}

const ARROWS = { up: "↑", down: "↓", same: "=" };

export function Figure({ name, change, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">
        {children}{" "}
        {change && (
          <span className={`report-change report-${change.direction}`}>
            <span aria-hidden="true">{ARROWS[change.direction]}</span> {change.text}
            <span className="hidden"> {WORDS[change.direction]} the period before</span>
          </span>
        )}
      </dd>
    </div>
  );
}

const WORDS = { up: "more than", down: "less than", same: "as in" };
