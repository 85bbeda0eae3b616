import { useNavigate, useSearch } from "@tanstack/react-router";
import { holderOf, useIsAllowed, useMe } from "../../data/me.ts";
import { SLOW_MS, useRead } from "../../data/operations.ts";
import { CHANNELS } from "../../format/order-words.ts";
import { number } from "../../format/shop.ts";
import { DAY_MS, duration } from "../../format/time.ts";
import { optionsOf } from "../../format/words.ts";
import { isAllowed } from "../../session/roles.ts";
import { Filters, InputFilter, SelectFilter } from "../../ui/filters.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { Figure, periodNow, SalesReport } from "./door.tsx";
import { PERIODS, type ReportSearch, reportSearch, SHOWN, statisticsQuery } from "./period.ts";

export default function Reports() {
  const search = useSearch({ from: "/app/reports" });
  const me = useMe();
  const { now, by } = periodNow(search);
  const query = statisticsQuery(now, by, search.channel);
  return (
    <Screen
      title="Reports"
      intro="Orders that were placed and not cancelled, with what is to be paid for them less refunds, beside the same part of the period before."
    >
      <ReportFilters search={search} />
      <SalesReport search={search} isSaved>
        {isAllowed(holderOf(me), { role: "viewer", module: "content" }) && <Webhooks {...now} />}
      </SalesReport>
      <BehindTheScreen operation="getOrderStatistics" input={{ query }} />
    </Screen>
  );
}

const { "30-days": LONGEST, ...OTHER_PERIODS } = PERIODS;
const { revenue, ...OTHERS_SHOWN } = SHOWN;

function ReportFilters({ search }: { readonly search: ReportSearch }) {
  const navigate = useNavigate({ from: "/reports" });
  const { currency, period } = search;
  return (
    <Filters
      label="Filter figures"
      values={search}
      onChange={(values) => navigate({ search: reportSearch({ currency, ...values }) })}
    >
      <SelectFilter label="Period" name="period" all={LONGEST} options={optionsOf(OTHER_PERIODS)} />
      {period === "own" && (
        <>
          <InputFilter label="First day" name="from" type="date" />
          <InputFilter label="Last day" name="to" type="date" />
        </>
      )}
      <SelectFilter label="Channel" name="channel" options={optionsOf(CHANNELS)} />
      <SelectFilter label="Chart" name="show" all={revenue} options={optionsOf(OTHERS_SHOWN)} />
    </Filters>
  );
}

// The API counts at most 400 days.
const DAYS_MAX = 400;

function Webhooks({ from, to }: { readonly from: string; readonly to: string }) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const isCounted = (Date.parse(to) - Date.parse(from)) / DAY_MS < DAYS_MAX;
  const query = { from, to, by: "day" } as const;
  const total = useRead("getWebhookStatistics", { query }, { everyMs: SLOW_MS, isAllowed: isCounted }).data
    ?.total;
  const waiting = useRead("getUsage", {}, { everyMs: SLOW_MS, isAllowed: isAdmin }).data?.deliveriesWaiting;
  if (total === undefined) return null;
  return (
    <dl className="report-figures" aria-label="Webhooks">
      <Figure name="Webhooks delivered">{number(total.delivered)}</Figure>
      <Figure name="Attempts failed">{number(total.failed)}</Figure>
      <Figure name="95 % took at most">
        {total.durationP95Ms === null ? "–" : duration(total.durationP95Ms)}
      </Figure>
      {isAdmin && <Figure name="Waiting now">{waiting == null ? "–" : number(waiting)}</Figure>}
    </dl>
  );
}
