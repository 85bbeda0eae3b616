import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { useList } from "../../data/operations.ts";
import { Button, NameLink } from "../../ui/button.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, ReadOnly, Screen } from "../../ui/screen.tsx";
import { ARTICLE, type ContentType, EMPTY } from "./type-draft.ts";
import { TypeForm } from "./type-form.tsx";

const QUERY = { limit: 100 };

export default function ContentTypes() {
  const { add } = useSearch({ from: "/app/content-types" });
  const isAdmin = useIsAllowed({ role: "admin" });
  return add !== undefined && isAdmin ? (
    <NewType key={add} suggestion={add === "article" ? ARTICLE : EMPTY} />
  ) : (
    <TypeList isAdmin={isAdmin} />
  );
}

function NewType({ suggestion }: { readonly suggestion: typeof ARTICLE }) {
  const navigate = useNavigate({ from: "/content-types" });
  return (
    <Screen title="New content type" intro={<Link to="/content-types">All content types</Link>}>
      <TypeForm
        from={suggestion}
        etag={undefined}
        onSaved={({ slug }) => navigate({ to: "/content-types/$slug", params: { slug } })}
        onCancel={() => navigate({ search: {} })}
      />
    </Screen>
  );
}

function TypeList({ isAdmin }: { readonly isAdmin: boolean }) {
  const navigate = useNavigate({ from: "/content-types" });
  const list = useList("listContentTypes", QUERY);
  return (
    <Screen
      title="Content types"
      intro="A type says which fields its entries have."
      action={
        isAdmin && (
          <Button
            text="New type"
            icon="plus"
            look="primary"
            onClick={() => navigate({ search: { add: "empty" } })}
          />
        )
      }
    >
      <ReadOnly neededRole="admin" title="You see the types and cannot change them" />
      <ListView list={list} empty={<NoTypes isAdmin={isAdmin} />}>
        {(types) => <Types types={types} />}
      </ListView>
      <BehindTheScreen operation="listContentTypes" input={{ query: QUERY }} />
    </Screen>
  );
}

function Types({ types }: { readonly types: readonly ContentType[] }) {
  const columns: Column<ContentType & { readonly id: string }>[] = [
    {
      name: "Type",
      cell: ({ slug, name }) => (
        <div className="lines lines-pair">
          <NameLink to="/content-types/$slug" params={{ slug }} name={name} />
          <code className="soft clamped">{slug}</code>
        </div>
      ),
    },
    { name: "Fields", cell: ({ fields }) => <FieldTags fields={fields} /> },
    {
      name: "Entries",
      cell: ({ slug, name }) => (
        <Link to="/entries" search={{ type: slug }}>
          Entries<span className="hidden"> of {name}</span>
        </Link>
      ),
    },
  ];
  return (
    <Table
      caption="Content types"
      columns={columns}
      rows={types.map((type) => ({ ...type, id: type.slug }))}
    />
  );
}

function FieldTags({ fields }: Pick<ContentType, "fields">) {
  if (fields.length === 0) return <span className="soft">None</span>;
  return (
    <ul className="tags">
      {fields.map(({ key }) => (
        <li key={key}>{key}</li>
      ))}
    </ul>
  );
}

function NoTypes({ isAdmin }: { readonly isAdmin: boolean }) {
  const navigate = useNavigate({ from: "/content-types" });
  return (
    <EmptyState title="No content types yet">
      <p>A type says which fields its entries have. Begin with Article: title, body.</p>
      {isAdmin && (
        <Button text="Begin with Article" onClick={() => navigate({ search: { add: "article" } })} />
      )}
    </EmptyState>
  );
}
