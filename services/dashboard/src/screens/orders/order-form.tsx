// The form of a new order. It computes totals for display; the platform computes its own.
import { Link, useNavigate } from "@tanstack/react-router";
import type { ErrorDetail } from "@tradepost/client/operations";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useChange } from "../../data/use-change.ts";
import { shop } from "../../format/shop.ts";
import { Amount } from "../../ui/amount.tsx";
import { Button } from "../../ui/button.tsx";
import { errorNote, Form, FormNote } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { Section } from "../../ui/screen.tsx";
import { say } from "../../ui/toasts.tsx";
import { addressesIn, DraftAddresses } from "./address-fields.tsx";
import { bodyOf, type Draft, EMPTY_DRAFT, notesIn } from "./draft.ts";
import { DraftAmounts, DraftLines, DraftNotes } from "./draft-fields.tsx";
import { totalsOf } from "./total.ts";
import { Totals } from "./totals.tsx";
import "./order.css";

interface OrderFormProps {
  readonly customerId: string | undefined;
  readonly onWithoutCustomer: () => void;
}

export function OrderForm({ customerId, onWithoutCustomer }: OrderFormProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const currency = draft.currency ?? shop().currency;
  const place = useChange("placeOrder", {
    stale: ["listOrders", "getOrderStatistics"],
    onDone: ({ id, orderNumber }) => {
      say(`Order ${orderNumber} is placed.`);
      void navigate({ to: "/orders/$orderId", params: { orderId: id } });
    },
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
      <Note tone="danger" title="This customer does not exist" isAlert>
        <p>Choose another one above.</p>
      </Note>
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
      <Link to="/orders/$orderId" params={{ orderId }}>
        Open that order
      </Link>
    </Note>
  );
}
