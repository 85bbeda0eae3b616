import { Link, useParams } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { useRead } from "../../data/use-read.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Fact, Facts, IdFact, TimeFact } from "../../ui/facts.tsx";
import { Screen, ScreenActions } from "../../ui/screen.tsx";
import { Section } from "../../ui/section.tsx";
import { ListView, ReadView } from "../../ui/views.tsx";
import { OrderTable } from "../order-list/door.tsx";
import { EditCustomerDialog } from "./customer-dialogs.tsx";
import { EraseCustomer } from "./erase-customer.tsx";
import { Ordered } from "./ordered.tsx";

const LIVE_MS = 5_000;

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
      <Button onClick={() => setEditing(true)}>Edit</Button>
      {isEditing && <EditCustomerDialog customer={customer} etag={etag} onClose={() => setEditing(false)} />}
    </ScreenActions>
  );
}

function About({ customer }: Pick<ActionsProps, "customer">) {
  const { id, email, phone, externalId, metadata, createdAt, updatedAt } = customer;
  return (
    <>
      <Facts label="This customer">
        <Fact name="E-mail">
          {email === undefined ? <span className="soft">None</span> : <a href={`mailto:${email}`}>{email}</a>}
        </Fact>
        <Fact name="Phone">{phone ?? <span className="soft">None</span>}</Fact>
        <IdFact name="External id" id={externalId} />
        <TimeFact name="Since" at={createdAt} isExact />
        {updatedAt !== createdAt && <TimeFact name="Last changed" at={updatedAt} isExact />}
        <IdFact name="Customer id" id={id} />
      </Facts>
      {metadata !== undefined && (
        <Section title="Metadata">
          <CodeBlock text={JSON.stringify(metadata, null, 2)} what="the metadata" />
        </Section>
      )}
    </>
  );
}

function Orders({ customerId }: { readonly customerId: string }) {
  const list = useLiveList("listOrders", { customerId }, { everyMs: LIVE_MS });
  return (
    <Section
      title="Orders"
      action={
        <Link to="/orders" search={{ customer: customerId }}>
          Find in all orders of this customer
        </Link>
      }
    >
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
