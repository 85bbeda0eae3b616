import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { searchOf } from "../../format/search-values.ts";
import { Button } from "../../ui/button.tsx";
import { LeaveGuard } from "../../ui/dialog.tsx";
import { Filters, InputFilter } from "../../ui/filters.tsx";
import { BehindTheScreen, Screen, Section } from "../../ui/screen.tsx";
import { Table } from "../../ui/table.tsx";
import { ListView, ReadView } from "../../ui/views.tsx";
import { CreateCustomerDialog } from "../customers/door.tsx";
import { OrderForm } from "./order-form.tsx";

export default function PlaceOrder() {
  const { customerId } = useSearch({ from: "/app/orders/new" });
  const navigate = useNavigate({ from: "/orders/new" });
  const [isMissing, setMissing] = useState(false);
  const choose = (id: string | undefined) => {
    setMissing(false);
    // The screen stays the same, so the typed order is kept.
    void navigate({ search: id === undefined ? {} : { customerId: id }, replace: true });
  };
  return (
    <Screen title="Place an order">
      <ChooseCustomer customerId={customerId} isMissing={isMissing} onChoose={choose} />
      <LeaveGuard>
        <OrderForm customerId={customerId} onWithoutCustomer={() => setMissing(true)} />
      </LeaveGuard>
      <BehindTheScreen
        operation="placeOrder"
        input={{
          body: {
            customerId: customerId ?? "",
            items: [{ sku: "MUG-BLUE", name: "Mug, blue", quantity: 1, unitPrice: 19.99 }],
          },
        }}
      />
    </Screen>
  );
}

type Customer = ItemOf<"listCustomers">;

interface ChooseCustomerProps {
  readonly customerId: string | undefined;
  /** True if the user tried to place the order without a customer. */
  readonly isMissing: boolean;
  readonly onChoose: (customerId: string | undefined) => void;
}

const SHOWN = 5;

function ChooseCustomer({ customerId, isMissing, onChoose }: ChooseCustomerProps) {
  return (
    <Section title="Customer">
      {customerId === undefined ? (
        <Find isMissing={isMissing} onChoose={onChoose} />
      ) : (
        <Chosen customerId={customerId} onOther={() => onChoose(undefined)} />
      )}
    </Section>
  );
}

function Chosen({ customerId, onOther }: { readonly customerId: string; readonly onOther: () => void }) {
  const read = useRead("getCustomer", { path: { id: customerId } });
  return (
    <div className="chosen-customer card">
      <ReadView read={read}>
        {({ name, email }) => (
          <p className="lines">
            <strong>
              <bdi>{name}</bdi>
            </strong>
            {email !== undefined && <span className="soft">{email}</span>}
          </p>
        )}
      </ReadView>
      <Button text="Choose another" onClick={onOther} />
    </div>
  );
}

function Find({ isMissing, onChoose }: Pick<ChooseCustomerProps, "isMissing" | "onChoose">) {
  const [search, setSearch] = useState("");
  const [isCreating, setCreating] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isMissing) part.current?.querySelector("input")?.focus();
  }, [isMissing]);
  return (
    <div ref={part} className="column">
      <Filters label="Find the customer" onChange={({ search: typed = "" }) => setSearch(typed)}>
        <InputFilter label="Name, e-mail or phone" name="search" value={search} />
        <Button text="New customer" icon="plus" onClick={() => setCreating(true)} />
      </Filters>
      {isMissing && (
        <p className="field-error" role="alert">
          Choose who the order is for.
        </p>
      )}
      <Found search={search} onChoose={onChoose} />
      {isCreating && (
        <CreateCustomerDialog
          initial={search.includes("@") ? { email: search } : { name: search }}
          onClose={() => setCreating(false)}
          onCreated={({ id }) => onChoose(id)}
        />
      )}
    </div>
  );
}

interface FoundProps {
  readonly search: string;
  readonly onChoose: (customerId: string) => void;
}

/** Shows the customers that are found, or the newest ones while nothing is searched. */
function Found({ search, onChoose }: FoundProps) {
  const query = searchOf(search);
  const isSearched = query.search !== undefined;
  const list = useList("listCustomers", { ...query, limit: SHOWN });
  const shown = { ...list, hasNextPage: isSearched && list.hasNextPage };
  const none = (
    <p className="soft" role="status">
      {isSearched ? `No customer has “${search}” in name, e-mail or phone.` : "There are no customers yet."}{" "}
      Create one.
    </p>
  );
  return (
    <ListView list={shown} empty={none}>
      {(customers) => (
        <Table<Customer>
          caption={isSearched ? "Customers found" : "The newest customers"}
          columns={[
            {
              name: "Choose",
              isActions: true,
              cell: ({ id, name }) => (
                <Button text="Choose" look="quiet" onClick={() => onChoose(id)} about={name} />
              ),
            },
            { name: "Name", isHeading: true, cell: ({ name }) => <bdi className="clamped">{name}</bdi> },
            { name: "E-mail", cardLine: 2, cell: (one) => one.email ?? <span className="soft">None</span> },
          ]}
          rows={customers}
        />
      )}
    </ListView>
  );
}
