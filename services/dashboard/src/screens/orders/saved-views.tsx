// The saved views of the orders, to open, and the current filters, to save under a name. Views are kept in this browser, separately
// for each shop and person.
import { Link } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { useMe } from "../../data/me.ts";
import { say } from "../../data/messages.ts";
import { keep, stored } from "../../session/storage.ts";
import { Button } from "../../ui/button.tsx";
import { DialogButton, FormDialog } from "../../ui/change-dialogs.tsx";
import { useClose } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { type OrdersSearch, ordersSearch } from "./search.ts";
import "../../ui/filters.css";

interface SavedViewsProps {
  readonly search: OrdersSearch;
  /** False if the filters need no view: there are none, or the list has a tab for them. */
  readonly isSavable: boolean;
}

export function SavedViews({ search, isSavable }: SavedViewsProps) {
  const { views, write } = useSavedViews();
  const open = views.find((view) => isSame(ordersSearch(view.search), search));
  const others = (name: string) => views.filter((view) => view.name !== name);
  if (views.length === 0 && !isSavable) return null;
  const save = (name: string) => {
    write([...others(name), { name, search }]);
    say(`The view “${name}” is saved in this browser.`);
  };
  return (
    <div className="row saved-views">
      {views.length > 0 && <span className="soft">Views:</span>}
      {views.map(({ name, search: saved }) => (
        <Link key={name} to="/orders" search={ordersSearch(saved)} activeOptions={{ exact: true }}>
          <bdi>{name}</bdi>
        </Link>
      ))}
      {open !== undefined && (
        <Button text={`Remove view “${open.name}”`} look="quiet" onClick={() => write(others(open.name))} />
      )}
      <DialogButton
        text="Save these filters as a view"
        look="quiet"
        isOffered={open === undefined && isSavable}
      >
        <NameDialog views={views} onNamed={save} />
      </DialogButton>
    </div>
  );
}

interface NameDialogProps {
  readonly views: readonly SavedView[];
  readonly onNamed: (name: string) => void;
}

const NAME_CHARACTERS_MAX = 50;

function NameDialog({ views, onNamed }: NameDialogProps) {
  const [name, setName] = useState("");
  const close = useClose();
  const isUsed = views.some((view) => view.name === name.trim());
  const submit = () => {
    if (name.trim() === "") return;
    close();
    onNamed(name.trim());
  };
  return (
    <FormDialog title="Save the filters as a view" action="Save view" onSubmit={submit}>
      <TextField
        label="Name"
        hint={isUsed ? "Replaces the view with this name." : undefined}
        required
        maxLength={NAME_CHARACTERS_MAX}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  );
}

function isSame(a: object, b: object): boolean {
  const text = (search: object) =>
    JSON.stringify(Object.entries(search).sort(([x], [y]) => (x < y ? -1 : 1)));
  return text(a) === text(b);
}

interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

function useSavedViews() {
  const { actor, tenant } = useMe();
  const key = `tradepost-views:${tenant.id}:${actor.id}:orders`;
  const text = useSyncExternalStore(subscribe, () => stored(key) ?? null);
  const write = (views: readonly SavedView[]) => {
    keep(key, JSON.stringify(views));
    // The browser sends this event to other tabs only.
    dispatchEvent(new Event("storage"));
  };
  return { views: parsed(text), write };
}

function subscribe(onChange: () => void): () => void {
  addEventListener("storage", onChange);
  return () => removeEventListener("storage", onChange);
}

function parsed(text: string | null): readonly SavedView[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, search } = (value ?? {}) as Partial<SavedView>;
  return typeof name === "string" && typeof search === "object" && search !== null;
}
