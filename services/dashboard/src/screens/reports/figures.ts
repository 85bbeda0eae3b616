import type { DataOf } from "@tradepost/client/operations";
import { sumOf } from "../../format/money.ts";
import { number, shop } from "../../format/shop.ts";

type Currencies = DataOf<"getOrderStatistics">["currencies"];
type Bucket = Currencies[number]["buckets"][number];

/** `revenue` is the amount to be paid, less refunds. */
export function figuresOf(buckets: readonly Bucket[]) {
  const orders = sumOf(buckets.map((one) => one.orders));
  const total = sumOf(buckets.map((one) => one.total));
  const refunded = sumOf(buckets.map((one) => one.refunded));
  const revenue = sumOf([total, -refunded]);
  return { orders, revenue, refunded, average: orders === 0 ? null : total / orders };
}

/** The shop's currency comes first, then the one with the most orders. */
export function currenciesOf(currencies: Currencies): string[] {
  const weight = ({ currency, buckets }: Currencies[number]) =>
    currency === shop().currency ? Number.POSITIVE_INFINITY : figuresOf(buckets).orders;
  return currencies.toSorted((a, b) => weight(b) - weight(a)).map(({ currency }) => currency);
}

export interface Change {
  /** `25 %`, `×12`. */
  readonly text: string;
  readonly direction: "up" | "down" | "same";
}

const TIMES_MIN = 10;

export function changeOf(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null || before <= 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  const times = now / before;
  return {
    text: times >= TIMES_MIN ? `×${number(Math.round(times))}` : `${number(Math.abs(percent))} %`,
    direction: percent > 0 ? "up" : percent < 0 ? "down" : "same",
  };
}

/** The figures as they are shown, for programs: a line for each part of the period. */
export function csvOf(currency: string, now: readonly Bucket[], before: readonly Bucket[]): string {
  const columns = "from,currency,orders,revenue,refunded,ordersBefore,revenueBefore,refundedBefore";
  const cells = (bucket: Bucket | undefined) => {
    const { orders, revenue, refunded } = figuresOf(bucket === undefined ? [] : [bucket]);
    return [orders, revenue, refunded];
  };
  const lines = now.map((bucket, index) =>
    [bucket.at, currency, ...cells(bucket), ...cells(before[index])].join(),
  );
  return `${[columns, ...lines].join("\r\n")}\r\n`;
}
