import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { useSelection } from "../../data/use-selection.ts";
import { searchOf } from "../../format/search-values.ts";
import { counted } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { ConfirmMany } from "../../ui/bulk-dialogs.tsx";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog, DialogButton } from "../../ui/change-dialogs.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { ChoiceField, TextField } from "../../ui/field.tsx";
import { AddressFilters, InputFilter } from "../../ui/filters.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { SelectAll, tickColumn } from "../../ui/select-all.tsx";
import { Time } from "../../ui/value.tsx";
import { AddManyDialog } from "./add-many.tsx";
import { KINDS, type Redirect } from "./read-redirects.ts";

const STALE = ["listRedirects"] as const;

export default function Redirects() {
  const { search, add = false } = useSearch({ from: "/app/redirects" });
  const navigate = useNavigate({ from: "/redirects" });
  const mayChange = useIsAllowed({ role: "editor" });
  const setAdding = (isOpen: boolean) =>
    navigate({ search: ({ add: _, ...rest }) => (isOpen ? { ...rest, add: true as const } : rest) });
  return (
    <Screen
      title="Redirects"
      intro="Visitors of an old address of your site are sent to the new one."
      action={
        <>
          <ExportButton operation="exportRedirects" query={searchOf(search)} name="redirects" />
          <DialogButton text="Add many" isOffered={mayChange}>
            <AddManyDialog />
          </DialogButton>
          {mayChange && (
            <Button text="Add redirect" icon="plus" look="primary" onClick={() => setAdding(true)} />
          )}
        </>
      }
    >
      <AddressFilters label="Filter redirects" isReplacing>
        <InputFilter label="Path or target" name="search" placeholder="/old-page" />
      </AddressFilters>
      <RedirectList key={search} search={search} />
      {add && mayChange && <RedirectDialog onClose={() => setAdding(false)} />}
    </Screen>
  );
}

function RedirectList({ search }: { readonly search: string | undefined }) {
  const mayChange = useIsAllowed({ role: "editor" });
  const [edited, setEdited] = useState<Redirect | null>(null);
  const [removing, setRemoving] = useState<readonly Redirect[] | null>(null);
  const query = { ...searchOf(search), count: true };
  const list = useLiveList("listRedirects", query);
  const selection = useSelection(list);
  const ticks = tickColumn<Redirect>(
    selection,
    <SelectAll label="Selected redirects" selection={selection}>
      <Button text="Remove" onClick={() => setRemoving(selection.ticked)} />
    </SelectAll>,
    ({ from }) => `Select the redirect from ${from}`,
  );
  const actions: Column<Redirect> = {
    name: "Actions",
    isActions: true,
    cell: (one) => (
      <Button
        text="Edit"
        look="quiet"
        onClick={() => setEdited(one)}
        about={`the redirect from ${one.from}`}
      />
    ),
  };
  return (
    <>
      <ListView
        list={list}
        nouns={{ one: "redirect", many: "redirects" }}
        empty={<NoRedirects isFiltered={search !== undefined} mayChange={mayChange} />}
      >
        {(redirects) => (
          <Table
            caption="Redirects"
            columns={mayChange ? [ticks, ...COLUMNS, actions] : COLUMNS}
            rows={redirects}
          />
        )}
      </ListView>
      <BehindTheScreen operation="listRedirects" input={{ query }} />
      {edited && <RedirectDialog before={edited} onClose={() => setEdited(null)} />}
      {removing && (
        <ConfirmMany
          action={`Remove ${counted(removing.length, "redirect")}`}
          items={removing}
          columns={COLUMNS.slice(0, 1)}
          done={`${counted(removing.length, "redirect")} removed.`}
          stale={STALE}
          send={({ id }, options) => request("deleteRedirect", { path: { id } }, options)}
          onClose={() => setRemoving(null)}
        >
          <p>
            Visitors find nothing there any more. Browsers that remember a redirect follow it all the same.
          </p>
        </ConfirmMany>
      )}
    </>
  );
}

function NoRedirects({ isFiltered, mayChange }: Readonly<Record<"isFiltered" | "mayChange", boolean>>) {
  if (isFiltered)
    return (
      <EmptyState
        title="No redirect matches"
        text="Each word must begin a word of the path or the target. Clear the filter to see all."
      />
    );
  return (
    <EmptyState
      title="No redirects yet"
      text={
        mayChange
          ? "When a page moves, add a redirect from its old path, so that links and bookmarks go on working."
          : "An editor adds one when a page moves, so that links and bookmarks go on working."
      }
    />
  );
}

const COLUMNS: readonly Column<Redirect>[] = [
  { name: "From", cell: ({ from }) => <Path path={from} /> },
  { name: "To", cardLine: 2, cell: ({ to }) => <Path path={to} /> },
  { name: "Kind", cardLine: 2, cell: ({ type }) => <Kind type={type} /> },
  { name: "Added", cardLine: 1, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function Path({ path }: { readonly path: string }) {
  return (
    <code className="clamped" title={path}>
      {path}
    </code>
  );
}

function Kind({ type }: Pick<Redirect, "type">) {
  return (
    <>
      {KINDS.find((kind) => kind.type === type)?.name} <code className="soft">{type}</code>
    </>
  );
}

const typesFor = (chosen: Redirect["type"]) =>
  KINDS.map(({ type, means }) => ({
    value: type,
    text: <Kind type={type} />,
    hint: means,
    isChosen: type === chosen,
  }));
const PATH = { required: true, maxLength: 2_048, autoCapitalize: "off", spellCheck: false };

function RedirectDialog({ before, onClose }: { readonly before?: Redirect; readonly onClose: () => void }) {
  const input = (form: FormData) => {
    const from = String(form.get("from"));
    const to = String(form.get("to")).trim();
    const type = Number(form.get("type")) as Redirect["type"];
    if (before === undefined) return { body: { from, to, type } };
    const isSame = from === before.from && to === before.to && type === before.type;
    return isSame ? null : { body: { from, to, type, replaces: before.id } };
  };
  return (
    <ChangeDialog
      title={before ? "Edit the redirect" : "Add a redirect"}
      action={before ? "Save redirect" : "Add redirect"}
      operation="createRedirect"
      input={input}
      conflicts={{ redirect_exists: "from", redirect_loop: "to" }}
      stale={STALE}
      done={({ from }) => `Visitors of ${from} are redirected.`}
      onClose={onClose}
    >
      <TextField
        label="From"
        hint="The path of the old page, without the host: /old-page"
        name="from"
        defaultValue={before?.from}
        {...PATH}
      />
      <TextField
        label="To"
        hint="A path of your site, or a whole address: https://other.example/page"
        name="to"
        defaultValue={before?.to}
        {...PATH}
      />
      <ChoiceField label="Kind" type="radio" name="type" options={typesFor(before?.type ?? 301)} />
    </ChangeDialog>
  );
}
