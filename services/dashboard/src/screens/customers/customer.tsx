import { Link, useParams } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { Fragment } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { LIVE_MS, useFurtherPages, useList, useRead } from "../../data/operations.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { addressesOf, addressLines, textOf } from "../../format/address.ts";
import { number } from "../../format/shop.ts";
import { TextLink } from "../../ui/button.tsx";
import { DialogButton } from "../../ui/change-dialogs.tsx";
import { CodeBlock, CopiedId } from "../../ui/code.tsx";
import { ListView, ReadView } from "../../ui/list.tsx";
import { BehindTheScreen, Facts, Screen, ScreenActions, Section } from "../../ui/screen.tsx";
import { Amount, ExactTime, Time } from "../../ui/value.tsx";
import { OrderTable } from "../order-list/door.tsx";
import { EditCustomerDialog } from "./door.tsx";
import { EraseCustomer } from "./erase-customer.tsx";
import { summaryOf } from "./summary.ts";
import "./customer.css";

export default function Customer() {
  const { customerId } = useParams({ from: "/app/customers/$customerId" });
  const input = { path: { id: customerId } };
  const read = useRead("getCustomer", input, { everyMs: LIVE_MS });
  return (
    <Screen title={read.data?.name ?? "Customer"}>
      <ReadView read={read}>
        {(customer) => (
          <>
            <Actions customer={customer} etag={read.etag} />
            <Ordered customerId={customer.id} />
            <About customer={customer} />
            <Orders customerId={customer.id} />
            <EraseCustomer customer={customer} />
          </>
        )}
      </ReadView>
      <BehindTheScreen operation="getCustomer" input={input} />
    </Screen>
  );
}

interface ActionsProps {
  readonly customer: DataOf<"getCustomer">;
  readonly etag: string | undefined;
}

function Actions({ customer, etag }: ActionsProps) {
  const isEditor = useIsAllowed({ role: "editor" });
  if (!isEditor || customer.erasedAt !== undefined) return null;
  return (
    <ScreenActions>
      <Link className="button button-primary" to="/orders/new" search={{ customerId: customer.id }}>
        New order for this customer
      </Link>
      <DialogButton text="Edit">
        <EditCustomerDialog customer={customer} etag={etag} />
      </DialogButton>
    </ScreenActions>
  );
}

const NONE = <span className="soft">None</span>;

function About({ customer }: Pick<ActionsProps, "customer">) {
  const { id, email, phone, externalId, metadata, createdAt, updatedAt } = customer;
  return (
    <>
      <Facts
        label="This customer"
        of={{
          "E-mail": email === undefined ? NONE : <a href={`mailto:${email}`}>{email}</a>,
          Phone: phone ?? NONE,
          "External id": externalId && <CopiedId id={externalId} what="external id" />,
          Since: <ExactTime at={createdAt} />,
          "Last changed": updatedAt !== createdAt && <ExactTime at={updatedAt} />,
          "Customer id": <CopiedId id={id} what="customer id" />,
        }}
      />
      {metadata !== undefined && (
        <Section title="Metadata">
          <CodeBlock text={JSON.stringify(metadata, null, 2)} what="the metadata" />
        </Section>
      )}
    </>
  );
}

function Orders({ customerId }: { readonly customerId: string }) {
  const list = useLiveList("listOrders", { customerId });
  return (
    <Section title="Orders">
      <ListView
        list={list}
        nouns={{ one: "order", many: "orders" }}
        empty={<p className="soft">This customer has no order yet.</p>}
      >
        {(orders) => <OrderTable orders={orders} />}
      </ListView>
    </Section>
  );
}

const ADDRESSES_MAX = 5;

function Ordered({ customerId }: { readonly customerId: string }) {
  const { orders, isAll } = useOrdersOf(customerId);
  const [last] = orders;
  if (last === undefined) return null;
  const { count, sums } = summaryOf(orders);
  const addresses = addressesOf(orders).slice(0, ADDRESSES_MAX);
  return (
    <Facts
      label="Orders of this customer"
      of={{
        Orders: (
          <>
            {number(count)}
            {!isAll && <span className="soft"> of the latest {number(orders.length)}</span>}
          </>
        ),
        "Sum, less refunds": (
          <>
            {sums.length === 0 && "–"}
            {sums.map(({ currency, amount }, index) => (
              <Fragment key={currency}>
                {index > 0 && " · "}
                <Amount amount={amount} currency={currency} />
              </Fragment>
            ))}
          </>
        ),
        "Last order": (
          <>
            <TextLink to="/orders/$orderId" params={{ orderId: last.id }} text={last.orderNumber} />,{" "}
            <Time at={last.createdAt} />
          </>
        ),
        [addresses.length === 1 ? "Address" : "Addresses"]:
          addresses.length > 0 &&
          addresses.map((address) => (
            <p key={textOf(address)} className="customer-address">
              {addressLines(address).join("\n")}
            </p>
          )),
      }}
    />
  );
}

const ORDERS = { limit: 100 };
const PAGES_MAX = 5;
const ALL_ORDERS_MS = 30_000;

function useOrdersOf(customerId: string) {
  const list = useList("listOrders", { customerId, ...ORDERS }, { everyMs: ALL_ORDERS_MS });
  const isEnough = (list.data?.length ?? 0) >= PAGES_MAX;
  useFurtherPages(list, !isEnough);
  const isRead = isEnough || !list.hasNextPage;
  return { orders: isRead ? (list.items ?? []) : [], isAll: !list.hasNextPage };
}
