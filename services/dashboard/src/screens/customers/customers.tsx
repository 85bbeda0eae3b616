import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { useIsAllowed } from "../../data/me.ts";
import { say } from "../../data/messages.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { searchOf } from "../../format/search-values.ts";
import { Button, NameLink, TextLink } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { AddressFilters, InputFilter } from "../../ui/filters.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { Time } from "../../ui/value.tsx";
import { CreateCustomerDialog } from "./door.tsx";

type Customer = ItemOf<"listCustomers">;

const NONE = <span className="soft">None</span>;

const COLUMNS: readonly Column<Customer>[] = [
  {
    name: "Customer",
    cell: ({ id, name }) => (
      <div className="lines">
        <NameLink to="/customers/$customerId" params={{ customerId: id }} name={name} />
      </div>
    ),
  },
  {
    name: "E-mail",
    cardLine: 2,
    cell: ({ email }) => (email === undefined ? NONE : <span className="clamped">{email}</span>),
  },
  { name: "Phone", isMinor: true, cell: ({ phone }) => phone ?? NONE },
  {
    name: "External id",
    isMinor: true,
    cell: ({ externalId }) =>
      externalId === undefined ? (
        NONE
      ) : (
        <span className="cut" title={externalId}>
          <code>{externalId}</code>
        </span>
      ),
  },
  { name: "Since", isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export default function Customers() {
  const { add = false, ...filters } = useSearch({ from: "/app/customers" });
  const navigate = useNavigate({ from: "/customers" });
  const isEditor = useIsAllowed({ role: "editor" });
  const { externalId, search } = filters;
  const filter = { ...searchOf(search), ...(externalId !== undefined && { externalId }) };
  const query = { ...filter, count: true };
  const list = useLiveList("listCustomers", query);
  const setAdding = (isOpen: boolean) => navigate({ search: isOpen ? { ...filters, add: true } : filters });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Screen
      title="Customers"
      intro="The newest come first."
      action={
        <div className="row">
          <ExportButton operation="exportCustomers" query={filter} name="customers" />
          {isEditor && (
            <Button text="New customer" icon="plus" look="primary" onClick={() => setAdding(true)} />
          )}
        </div>
      }
    >
      <AddressFilters label="Filter customers">
        <InputFilter label="Name, e-mail or phone" name="search" />
        <InputFilter label="External id" name="externalId" />
      </AddressFilters>
      <ListView
        list={list}
        nouns={{ one: "customer", many: "customers" }}
        empty={<NoCustomers isFiltered={isFiltered} isEditor={isEditor} />}
      >
        {(customers) => <Table caption="Customers" columns={COLUMNS} rows={customers} />}
      </ListView>
      <BehindTheScreen operation="listCustomers" input={{ query }} />
      {add && isEditor && (
        <CreateCustomerDialog
          searched={search}
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

function NoCustomers({ isFiltered, isEditor }: { readonly isFiltered: boolean; readonly isEditor: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No customer matches">
        <p>Search for the beginnings of words, or type the whole external id.</p>
        <Link to="/customers">Show all customers</Link>
      </EmptyState>
    );
  return (
    <EmptyState title="There are no customers yet">
      <p>
        Your shop’s programs create them before their first order.
        {isEditor && " You can also create one yourself."}
      </p>
      {isEditor && <TextLink to="/customers" search={{ add: true }} text="Create the first customer" />}
    </EmptyState>
  );
}
