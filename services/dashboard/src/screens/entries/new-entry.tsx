import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useChange, useRead } from "../../data/operations.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { useLeaveGuard } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, FormNote } from "../../ui/form.tsx";
import { ListView, ReadView } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { EntryFields, explainEntry, isSlugConflict, useDraft } from "./entry-fields.tsx";
import { NoTypes, useTypes } from "./value.tsx";
import "./entries.css";

export default function NewEntry() {
  const { type } = useSearch({ from: "/app/entries/new" });
  return (
    <Screen title="New entry">
      {type === undefined ? <ChooseType /> : <OfType key={type} slug={type} />}
      <BehindTheScreen
        operation="createEntry"
        input={{ body: { type: type ?? "article", data: { title: "The autumn collection" } } }}
      />
    </Screen>
  );
}

function ChooseType() {
  const { list } = useTypes();
  return (
    <ListView list={list} empty={<NoTypes title="No content types yet" />}>
      {(types) => (
        <>
          <p>What kind of entry?</p>
          <ul className="types">
            {types.map(({ slug, name }) => (
              <li key={slug}>
                <TextLink to="/entries/new" search={{ type: slug }} text={name} />
              </li>
            ))}
          </ul>
        </>
      )}
    </ListView>
  );
}

function OfType({ slug }: { readonly slug: string }) {
  const read = useRead("getContentType", { path: { slug } });
  return (
    <ReadView read={read}>
      {(type) => (
        <div className="entry-form">
          <NewForm type={type} />
        </div>
      )}
    </ReadView>
  );
}

const NEW = { entry: { slug: "", data: {} }, etag: undefined };

function NewForm({ type }: { readonly type: DataOf<"getContentType"> }) {
  const navigate = useNavigate();
  const draft = useDraft(type.fields, NEW);
  const { slug } = draft;
  const [locale, setLocale] = useState("en");
  const guard = useLeaveGuard(draft.isDirty);
  const create = useChange("createEntry", {
    stale: ["listEntries"],
    done: "The draft is saved. Nobody sees it until it is published.",
    onDone: ({ id }) => {
      guard.release();
      void navigate({ to: "/entries/$entryId", params: { entryId: id } });
    },
  });
  const submit = () =>
    create.mutate({
      body: { type: type.slug, locale, ...(slug !== "" && { slug }), data: withoutEmpty(draft.changes) },
    });
  return (
    <Form failure={create.error} explain={null} onSubmit={submit}>
      {guard.dialog}
      <p>
        Type: <strong>{type.name}</strong> (<Link to="/entries/new">choose another one</Link>)
      </p>
      <EntryFields
        fields={type.fields}
        draft={draft}
        slugHint="The entry's name in addresses. Made from the first text if you leave it empty."
        isSlugRequired={false}
        isSlugTaken={isSlugConflict(create.error)}
      />
      <TextField
        label="Locale"
        hint="The language: en, or de-AT. It stays for good."
        name="locale"
        required
        spellCheck={false}
        value={locale}
        onChange={({ currentTarget }) => setLocale(currentTarget.value)}
      />
      <FormNote explain={explainEntry({ type: type.slug, locale, slug })} />
      <div className="row">
        <Button text="Save draft" type="submit" look="primary" isBusy={create.isPending} />
        <Button text="Cancel" onClick={() => navigate({ to: "/entries", search: { type: type.slug } })} />
      </div>
    </Form>
  );
}

/** Leaves out empty fields, because a new entry has nothing to remove. A field with only spaces is empty. */
function withoutEmpty(changes: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null));
}
