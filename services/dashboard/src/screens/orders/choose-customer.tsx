// Chooses the customer of an order: an existing one, found by e-mail, or a new one.
import type { ItemOf } from "@tradepost/client/operations";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { CreateCustomerDialog } from "../../ui/create-customer-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { ListView, ReadView } from "../../ui/views.tsx";
import "./choose-customer.css";

type Customer = ItemOf<"listCustomers">;

interface ChooseCustomerProps {
  readonly customerId: string | undefined;
  /** True if the user tried to place the order without a customer. */
  readonly isMissing: boolean;
  readonly onChoose: (customerId: string | undefined) => void;
}

const NEWEST = 5;

export function ChooseCustomer({ customerId, isMissing, onChoose }: ChooseCustomerProps) {
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

interface ChosenProps {
  readonly customerId: string;
  readonly onOther: () => void;
}

function Chosen({ customerId, onOther }: ChosenProps) {
  const read = useRead("getCustomer", { path: { id: customerId } });
  return (
    <div className="chosen-customer">
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
      <Button onClick={onOther}>Choose another</Button>
    </div>
  );
}

function Find({ isMissing, onChoose }: Pick<ChooseCustomerProps, "isMissing" | "onChoose">) {
  const [email, setEmail] = useState("");
  const [isCreating, setCreating] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isMissing) input.current?.focus();
  }, [isMissing]);
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setEmail(input.current?.value.trim() ?? "");
  };
  return (
    <>
      <form className="find-customer" onSubmit={find}>
        <Field label="E-mail" error={isMissing ? "Choose who the order is for." : undefined}>
          {(control) => <input {...control} ref={input} className="input" name="email" autoComplete="off" />}
        </Field>
        <Button type="submit">Find</Button>
        <Button onClick={() => setCreating(true)}>
          <PlusIcon /> New customer
        </Button>
      </form>
      <Found email={email} onChoose={onChoose} />
      {isCreating && (
        <CreateCustomerDialog
          email={email}
          onClose={() => setCreating(false)}
          onCreated={({ id }) => onChoose(id)}
        />
      )}
    </>
  );
}

interface FoundProps {
  readonly email: string;
  readonly onChoose: (customerId: string) => void;
}

/** Shows the customers with the e-mail, or the newest ones without an e-mail. */
function Found({ email, onChoose }: FoundProps) {
  const list = useList("listCustomers", email === "" ? { limit: NEWEST } : { email });
  const shown = { ...list, hasNextPage: email !== "" && list.hasNextPage };
  const none = (
    <p className="soft" role="status">
      {email === "" ? "There are no customers yet." : `No customer has the e-mail address ${email}.`} Create
      one.
    </p>
  );
  return (
    <ListView list={shown} empty={none}>
      {(customers) => (
        <Table<Customer>
          caption={email === "" ? "The newest customers" : "Customers with this e-mail address"}
          columns={[
            { name: "Name", isHeading: true, cell: ({ name }) => <bdi>{name}</bdi> },
            { name: "E-mail", cell: (one) => one.email ?? <span className="soft">None</span> },
            {
              name: "Choose",
              isActions: true,
              cell: ({ id, name }) => (
                <Button look="quiet" onClick={() => onChoose(id)}>
                  Choose<span className="hidden"> {name}</span>
                </Button>
              ),
            },
          ]}
          rows={customers}
        />
      )}
    </ListView>
  );
}
