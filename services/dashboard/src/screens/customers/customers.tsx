// The customers of the shop.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { holderOf, useMe } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";
import { isAllowed } from "../../session/roles.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { CreateCustomerDialog } from "../../ui/create-customer-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Filters, InputFilter } from "../../ui/filters.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { Screen } from "../../ui/screen.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toasts.tsx";
import { ListView } from "../../ui/views.tsx";
import { customersSearch } from "./search.ts";

type Customer = ItemOf<"listCustomers">;

const COLUMNS: readonly Column<Customer>[] = [
  { name: "Customer", isHeading: true, cell: (customer) => <Name customer={customer} /> },
  { name: "E-mail", cardLine: 2, cell: ({ email }) => <Email email={email} /> },
  { name: "Phone", isMinor: true, cell: ({ phone }) => phone ?? <span className="soft">None</span> },
  {
    name: "External id",
    isMinor: true,
    cell: ({ externalId }) =>
      externalId === undefined ? (
        <span className="soft">None</span>
      ) : (
        <span className="lines">
          <code>{externalId}</code>
        </span>
      ),
  },
  { name: "Since", isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function Customers() {
  const { add = false, ...filters } = useSearch({ from: "/app/customers" });
  const navigate = useNavigate({ from: "/customers" });
  const isEditor = isAllowed(holderOf(useMe()), { role: "editor" });
  const list = useList("listCustomers", filters);
  const setAdding = (isOpen: boolean) => navigate({ search: isOpen ? { ...filters, add: true } : filters });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Screen
      title="Customers"
      intro="The newest come first."
      action={
        isEditor && (
          <Button look="primary" onClick={() => setAdding(true)}>
            <PlusIcon /> New customer
          </Button>
        )
      }
    >
      <Filters
        label="Filter customers"
        onChange={(values) => navigate({ search: customersSearch({ ...values }) })}
      >
        <InputFilter label="E-mail" name="email" value={filters.email} />
        <InputFilter label="External id" name="externalId" value={filters.externalId} />
      </Filters>
      <ListView list={list} empty={<NoCustomers isFiltered={isFiltered} isEditor={isEditor} />}>
        {(customers) => <Table caption="Customers" columns={COLUMNS} rows={customers} />}
      </ListView>
      <BehindTheScreen operation="listCustomers" input={{ query: filters }} />
      {add && isEditor && (
        <CreateCustomerDialog
          {...(filters.email !== undefined && { email: filters.email })}
          onClose={() => setAdding(false)}
          onCreated={({ id, name }) => {
            say(`“${name}” is a customer now.`);
            void navigate({ to: "/customers/$customerId", params: { customerId: id } });
          }}
        />
      )}
    </Screen>
  );
}

function Name({ customer: { id, name } }: { readonly customer: Customer }) {
  return (
    <div className="lines">
      <Link to="/customers/$customerId" params={{ customerId: id }}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </Link>
    </div>
  );
}

function Email({ email }: Pick<Customer, "email">) {
  return <span className="lines">{email ?? <span className="soft">None</span>}</span>;
}

interface NoCustomersProps {
  readonly isFiltered: boolean;
  readonly isEditor: boolean;
}

function NoCustomers({ isFiltered, isEditor }: NoCustomersProps) {
  if (isFiltered)
    return (
      <EmptyState title="No customer matches">
        <p>Type the whole e-mail address or external id. Upper and lower case matter in ids only.</p>
        <Link to="/customers">Show all customers</Link>
      </EmptyState>
    );
  return (
    <EmptyState title="There are no customers yet">
      <p>
        Your shop’s programs create them before their first order.
        {isEditor && " You can also create one yourself."}
      </p>
      {isEditor && (
        <Link to="/customers" search={{ add: true }}>
          Create the first customer
        </Link>
      )}
    </EmptyState>
  );
}
