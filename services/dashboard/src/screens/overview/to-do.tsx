// The orders that wait for somebody, each kind with a link to its list.
import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { Section } from "../../ui/section.tsx";

type Open = DataOf<"getOrderStatistics">["open"];

const KINDS = [
  { count: "toFulfill", tab: "fulfill", one: "order to fulfill", many: "orders to fulfill" },
  { count: "readyToShip", tab: "ship", one: "paid, not fulfilled", many: "paid, not fulfilled" },
  { count: "paymentFailed", tab: "failed", one: "payment failed", many: "payments failed" },
  { count: "unpaid", tab: "unpaid", one: "order is unpaid", many: "orders are unpaid" },
  { count: "toDeliver", tab: "deliver", one: "order on the way", many: "orders on the way" },
] as const;

/** `open` is undefined until it is read. */
export function ToDo({ open }: { readonly open: Open | undefined }) {
  const waiting = KINDS.filter(({ count }) => (open?.[count] ?? 0) > 0);
  return (
    <Section title="To do">
      {waiting.length === 0 ? (
        <p className="soft">{open === undefined ? "Looking…" : "Nothing right now."}</p>
      ) : (
        <ul className="latest">
          {waiting.map(({ count, tab, one, many }) => (
            <li key={tab}>
              <Link to="/orders" search={{ tab }}>
                <strong className="number">{open?.[count].toLocaleString("en")}</strong>{" "}
                {open?.[count] === 1 ? one : many}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
