import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { DataOf, ItemOf } from "@tradepost/client/operations";
import { Fragment, useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { LIVE_MS, useRead } from "../../data/operations.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { addressesOf, addressLines, textOf } from "../../format/address.ts";
import { number } from "../../format/shop.ts";
import { request } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
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
  const [isEditing, setEditing] = useState(false);
  if (!isEditor || customer.erasedAt !== undefined) return null;
  return (
    <ScreenActions>
      <Link className="button button-primary" to="/orders/new" search={{ customerId: customer.id }}>
        New order for this customer
      </Link>
      <Button text="Edit" onClick={() => setEditing(true)} />
      {isEditing && <EditCustomerDialog customer={customer} etag={etag} onClose={() => setEditing(false)} />}
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
  const { data } = useOrdersOf(customerId);
  const [last] = data?.orders ?? [];
  if (data === undefined || last === undefined) return null;
  const { count, sums } = summaryOf(data.orders);
  const addresses = addressesOf(data.orders).slice(0, ADDRESSES_MAX);
  return (
    <Facts
      label="Orders of this customer"
      of={{
        Orders: (
          <>
            {number(count)}
            {!data.isAll && <span className="soft"> of the latest {number(data.orders.length)}</span>}
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
            <Link to="/orders/$orderId" params={{ orderId: last.id }}>
              <bdi>{last.orderNumber}</bdi>
            </Link>
            , <Time at={last.createdAt} />
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

interface OrdersOf {
  readonly orders: readonly ItemOf<"listOrders">[];
  readonly isAll: boolean;
}

const PAGE_ORDERS = 100;
const PAGES_MAX = 5;
const ALL_ORDERS_MS = 30_000;

function useOrdersOf(customerId: string) {
  return useQuery<OrdersOf>({
    queryKey: ["listOrders", "of customer", customerId],
    queryFn: async ({ signal }) => {
      const orders: ItemOf<"listOrders">[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const query = { customerId, limit: PAGE_ORDERS, ...(cursor !== null && { cursor }) };
        const reply: { data: ItemOf<"listOrders">[]; nextCursor: string | null } = await request(
          "listOrders",
          { query },
          { signal },
        );
        orders.push(...reply.data);
        cursor = reply.nextCursor;
        if (cursor === null) return { orders, isAll: true };
      }
      return { orders, isAll: false };
    },
    refetchInterval: ALL_ORDERS_MS,
  });
}
