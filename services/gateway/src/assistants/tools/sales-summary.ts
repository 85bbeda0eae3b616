import { z } from "zod";
import { shortText, time } from "../arguments.ts";
import * as schema from "../output-schema.ts";
import { camelCased, snakeCase } from "../service-calls.ts";
import { READ_CRM, tool } from "../tool.ts";

type Figures = Readonly<Record<"orders" | "total" | "paid" | "refunded", number>>;

interface ApiStatistics {
  readonly currencies: readonly {
    readonly currency: string;
    readonly buckets: readonly (Figures & { readonly at: string })[];
  }[];
  readonly open: Readonly<Record<string, number>>;
}

// Two months of days.
const SHOWN_BUCKETS_MAX = 62;

export const salesSummary = tool({
  name: "sales_summary",
  title: "Sum up orders",
  description:
    "Shows how many orders were placed in a time, what they are worth, what was paid and refunded, for each currency and each day, week or month, and how many orders are open now. The figures are exact; cancelled orders are left out. Use it for totals instead of adding up find_orders.",
  needs: [READ_CRM],
  effect: "reads",
  input: z.strictObject({
    from: time.describe("Placed since, ISO 8601 with offset."),
    to: time.describe("Placed before."),
    by: z.enum(["day", "week", "month"]).default("day").describe("The length of a bucket."),
    time_zone: z.string().max(64).default("UTC").describe("IANA name; whoami shows the shop's."),
    channel: shortText(20).optional().describe("As in find_orders."),
  }),
  output: schema.object({ currencies: schema.list(), open: schema.anyObject }),
  run: async (args, { services }) => {
    const { data } = await services.get<ApiStatistics>("/v1/orders/statistics", camelCased(args));
    const open = Object.entries(data.open).map(([name, count]) => [snakeCase(name), count] as const);
    const currencies = data.currencies.map(({ currency, buckets }) => {
      const used = buckets.filter(({ orders }) => orders > 0);
      const omitted = used.length - SHOWN_BUCKETS_MAX;
      return {
        currency,
        sum: sumOf(buckets),
        // Earlier buckets are only in the sums.
        buckets: used.slice(-SHOWN_BUCKETS_MAX),
        ...(omitted > 0 && { buckets_omitted: omitted }),
      };
    });
    return {
      summary:
        currencies.length === 0 ? "No orders were placed in this time." : `Currencies: ${currencies.length}.`,
      structured: { currencies, open: Object.fromEntries(open) },
    };
  },
});

function sumOf(buckets: readonly Figures[]): Figures {
  const sum = (name: keyof Figures) => rounded(buckets.reduce((total, bucket) => total + bucket[name], 0));
  return { orders: sum("orders"), total: sum("total"), paid: sum("paid"), refunded: sum("refunded") };
}

/** A sum of doubles may have more decimals than amounts, which have 4. */
function rounded(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}
