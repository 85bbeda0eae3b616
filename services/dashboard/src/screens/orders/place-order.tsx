import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ErrorDetail, ItemOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useChange, useList, useRead } from "../../data/operations.ts";
import { searchOf } from "../../format/search-values.ts";
import { shop } from "../../format/shop.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { LeaveGuard } from "../../ui/dialog.tsx";
import { Filters, InputFilter } from "../../ui/filters.tsx";
import { errorNote, Form, FormNote } from "../../ui/form.tsx";
import { ListView, ReadView, Table } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { BehindTheScreen, Screen, Section } from "../../ui/screen.tsx";
import { Amount } from "../../ui/value.tsx";
import { CreateCustomerDialog } from "../customers/door.tsx";
import { addressesIn, DraftAddresses } from "./address-fields.tsx";
import { bodyOf, type Draft, EMPTY_DRAFT, notesIn } from "./draft.ts";
import { DraftAmounts, DraftLines, DraftNotes } from "./draft-fields.tsx";
import { totalsOf } from "./total.ts";
import { Totals } from "./totals.tsx";
import "./order.css";

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
      <Section title="Customer">
        {customerId === undefined ? (
          <Find isMissing={isMissing} onChoose={choose} />
        ) : (
          <Chosen customerId={customerId} onOther={() => choose(undefined)} />
        )}
      </Section>
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

const SHOWN = 5;

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

interface FindProps {
  /** True if the user tried to place the order without a customer. */
  readonly isMissing: boolean;
  readonly onChoose: (customerId: string) => void;
}

function Find({ isMissing, onChoose }: FindProps) {
  const [search, setSearch] = useState("");
  const [isCreating, setCreating] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isMissing) part.current?.querySelector("input")?.focus();
  }, [isMissing]);
  return (
    <div ref={part} className="column">
      <Filters
        label="Find the customer"
        values={{ search }}
        onChange={({ search: typed = "" }) => setSearch(typed)}
      >
        <InputFilter label="Name, e-mail or phone" name="search" />
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
          searched={search}
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
            { name: "Name", cell: ({ name }) => <bdi className="clamped">{name}</bdi> },
            { name: "E-mail", cardLine: 2, cell: (one) => one.email ?? <span className="soft">None</span> },
          ]}
          rows={customers}
        />
      )}
    </ListView>
  );
}

// The form of a new order. It computes totals for display; the platform computes its own.
interface OrderFormProps {
  readonly customerId: string | undefined;
  readonly onWithoutCustomer: () => void;
}

function OrderForm({ customerId, onWithoutCustomer }: OrderFormProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const currency = draft.currency ?? shop().currency;
  const place = useChange("placeOrder", {
    stale: ["listOrders", "getOrderStatistics"],
    done: ({ orderNumber }) => `Order ${orderNumber} is placed.`,
    onDone: ({ id }) => navigate({ to: "/orders/$orderId", params: { orderId: id } }),
  });
  const submit = (form: FormData) => {
    if (customerId === undefined) {
      onWithoutCustomer();
      return false;
    }
    return place.mutate({
      body: bodyOf(draft, { customerId, currency, ...addressesIn(form), ...notesIn(form) }),
    });
  };
  const setLines = (lines: Draft["lines"]) => {
    // Faults name lines by their position, so they are dropped when lines are added or removed.
    if (lines.length !== draft.lines.length) place.reset();
    setDraft({ ...draft, lines });
  };
  const totals = totalsOf(draft);
  // Addresses that were typed before a customer was chosen stay; addresses of another customer do not.
  const [addressesOf, setAddressesOf] = useState({ customerId, turn: 0 });
  if (addressesOf.customerId !== customerId)
    setAddressesOf(({ customerId: before, turn }) => ({
      customerId,
      turn: before === undefined ? turn : turn + 1,
    }));
  return (
    <Form failure={place.error} explain={null} onSubmit={submit} isLong>
      <div className="columns order-form">
        <div className="column">
          <Section title="Items">
            <DraftLines lines={draft.lines} currency={currency} onChange={setLines} />
          </Section>
          <Section title="Addresses">
            <DraftAddresses key={addressesOf.turn} customerId={customerId} />
          </Section>
          <details className="section">
            <summary>Notes, channel and numbers</summary>
            <DraftNotes />
          </details>
        </div>
        <div className="column order-form-amounts">
          <Section title="Amounts">
            <DraftAmounts draft={draft} onChange={setDraft} currency={currency} />
            <Totals order={{ ...totals, currency }} />
          </Section>
        </div>
      </div>
      <FormNote explain={explain} />
      <div className="order-form-end">
        <span>
          Total{" "}
          <strong>
            <Amount amount={totals.total} currency={currency} />
          </strong>
        </span>
        <Button text="Place order" type="submit" look="primary" isBusy={place.isPending} />
      </div>
    </Form>
  );
}

function explain(failure: Failure, rest: readonly ErrorDetail[]) {
  const { orderId } = failure.error;
  if (failure.status === 404)
    return (
      <Note tone="danger" title="This customer does not exist" isAlert text="Choose another one above." />
    );
  if (typeof orderId !== "string") return errorNote(failure, rest);
  return (
    <Note
      tone="danger"
      title={
        failure.code === "order_number_taken"
          ? "Another order has this number"
          : "This channel has an order with this external id"
      }
      isAlert
    >
      <TextLink to="/orders/$orderId" params={{ orderId }} text="Open that order" />
    </Note>
  );
}
