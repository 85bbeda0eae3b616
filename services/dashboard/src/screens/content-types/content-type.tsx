import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { useRead } from "../../data/operations.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { type Column, EmptyState, ReadView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, ReadOnly, Screen } from "../../ui/screen.tsx";
import { draftOf, type ContentType as Known, nameOfFieldType } from "./type-draft.ts";
import { TypeForm } from "./type-form.tsx";

export default function ContentType() {
  const { slug } = useParams({ from: "/app/content-types/$slug" });
  const { edit } = useSearch({ from: "/app/content-types/$slug" });
  const navigate = useNavigate({ from: "/content-types/$slug" });
  const isAdmin = useIsAllowed({ role: "admin" });
  const read = useRead("getContentType", { path: { slug } });
  const isEditing = edit === true && isAdmin;
  const close = () => navigate({ search: {} });
  return (
    <Screen
      title={read.data?.name ?? "Content type"}
      action={
        isAdmin && !isEditing && <Button text="Edit" onClick={() => navigate({ search: { edit: true } })} />
      }
    >
      <ReadOnly neededRole="admin" title="You see the types and cannot change them" />
      <ReadView read={read}>
        {(type) =>
          isEditing ? (
            <TypeForm key={slug} from={draftOf(type)} etag={read.etag} onSaved={close} onCancel={close} />
          ) : (
            <Details type={type} />
          )
        }
      </ReadView>
      <BehindTheScreen operation="getContentType" input={{ path: { slug } }} />
    </Screen>
  );
}

function Details({ type: { slug, fields } }: { readonly type: Known }) {
  return (
    <>
      <p className="row">
        <code>{slug}</code>
        <TextLink to="/entries" search={{ type: slug }} text="Entries of this type" />
      </p>
      {fields.length === 0 ? (
        <EmptyState
          title="No fields"
          text="Entries of this type have only a slug. An admin can add fields."
        />
      ) : (
        <Table
          caption="Fields"
          columns={COLUMNS}
          rows={fields.map((field) => ({ ...field, id: field.key }))}
        />
      )}
    </>
  );
}

const COLUMNS: Column<Known["fields"][number] & { readonly id: string }>[] = [
  { name: "Field", cell: ({ key }) => <code>{key}</code> },
  { name: "Type", cell: ({ type }) => nameOfFieldType(type) },
  { name: "To go live", cell: ({ required }) => (required ? "Required" : "Optional") },
];
