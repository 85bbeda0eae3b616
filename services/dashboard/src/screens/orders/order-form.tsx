// The form of a new order. It computes totals for display; the platform computes its own.
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { type Failure, fieldErrors } from "../../api/failure.ts";
import { useChange } from "../../data/use-change.ts";
import { shop } from "../../format/shop.ts";
import { Amount } from "../../ui/amount.tsx";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { Section } from "../../ui/screen.tsx";
import { say } from "../../ui/toasts.tsx";
import { addressesIn, addressFieldNames, DraftAddresses } from "./address-fields.tsx";
import { bodyOf, type Draft, EMPTY_DRAFT, LINE_FIELDS, lineFieldName, notesIn } from "./draft.ts";
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
  const { byField, rest } = fieldErrors(place.error?.details ?? [], namesOf(draft));
  const totals = totalsOf(draft);
  // Addresses that were typed before a customer was chosen stay; addresses of another customer do not.
  const [addressesOf, setAddressesOf] = useState({ customerId, turn: 0 });
  if (addressesOf.customerId !== customerId)
    setAddressesOf(({ customerId: before, turn }) => ({
      customerId,
      turn: before === undefined ? turn : turn + 1,
    }));
  return (
    <Form failure={place.error} onSubmit={submit} isLong>
      <div className="columns order-form">
        <div className="column">
          <Section title="Items">
            <DraftLines lines={draft.lines} currency={currency} errors={byField} onChange={setLines} />
          </Section>
          <Section title="Addresses">
            <DraftAddresses key={addressesOf.turn} customerId={customerId} errors={byField} />
          </Section>
          <More isAtFault={MORE_FIELDS.some((name) => byField[name] !== undefined)}>
            <DraftNotes errors={byField} />
          </More>
        </div>
        <div className="column order-form-amounts">
          <Section title="Amounts">
            <DraftAmounts draft={draft} onChange={setDraft} errors={byField} currency={currency} />
            <Totals order={{ ...totals, currency }} />
          </Section>
        </div>
      </div>
      {place.error && <Refusal failure={place.error} rest={rest} />}
      <div className="order-form-end">
        <span>
          Total{" "}
          <strong>
            <Amount amount={totals.total} currency={currency} />
          </strong>
        </span>
        <Button type="submit" look="primary" isBusy={place.isPending}>
          Place order
        </Button>
      </div>
    </Form>
  );
}

const MORE_FIELDS = ["channel", "customerNote", "internalNote", "orderNumber", "externalId"];

/** A field with a fault must be visible. */
function More({ isAtFault, children }: { readonly isAtFault: boolean; readonly children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (isAtFault && details.current) details.current.open = true;
  }, [isAtFault]);
  return (
    <details ref={details} className="section">
      <summary>Notes, channel and numbers</summary>
      {children}
    </details>
  );
}

const FIELDS = [
  ...["currency", "shippingTotal", "taxTotal", "discountTotal"],
  ...MORE_FIELDS,
  ...addressFieldNames("shippingAddress"),
  ...addressFieldNames("billingAddress"),
];

function namesOf({ lines }: Draft): string[] {
  const names = lines.flatMap((_, index) => LINE_FIELDS.map((field) => lineFieldName(index, field)));
  return [...FIELDS, ...names];
}

interface RefusalProps {
  readonly failure: Failure;
  readonly rest: ReturnType<typeof fieldErrors>["rest"];
}

function Refusal({ failure, rest }: RefusalProps) {
  const { orderId } = failure.error;
  if (failure.status === 404)
    return (
      <Note tone="danger" title="This customer does not exist" isAlert>
        <p>Choose another one above.</p>
      </Note>
    );
  if (typeof orderId !== "string") return <ErrorNote failure={failure} details={rest} />;
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
