// The saved views of the orders, to open, and the current filters, to save under a name. Views are kept in this browser, separately
// for each shop and person.
import { Link } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { useMe } from "../../data/me.ts";
import { say } from "../../data/messages.ts";
import { keep, stored } from "../../session/storage.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { type OrdersSearch, ordersSearch } from "./search.ts";
import "../../ui/filters.css";

interface SavedViewsProps {
  readonly search: OrdersSearch;
  /** False if the filters need no view: there are none, or the list has a tab for them. */
  readonly isSavable: boolean;
}

export function SavedViews({ search, isSavable }: SavedViewsProps) {
  const { views, write } = useSavedViews();
  const [isNaming, setNaming] = useState(false);
  const open = views.find((view) => isSame(ordersSearch(view.search), search));
  const others = (name: string) => views.filter((view) => view.name !== name);
  if (views.length === 0 && !isSavable) return null;
  const save = (name: string) => {
    write([...others(name), { name, search }]);
    say(`The view “${name}” is saved in this browser.`);
    setNaming(false);
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
      {open === undefined && isSavable && (
        <Button text="Save these filters as a view" look="quiet" onClick={() => setNaming(true)} />
      )}
      {isNaming && <NameDialog views={views} onClose={() => setNaming(false)} onNamed={save} />}
    </div>
  );
}

interface NameDialogProps {
  readonly views: readonly SavedView[];
  readonly onClose: () => void;
  readonly onNamed: (name: string) => void;
}

const NAME_CHARACTERS_MAX = 50;

function NameDialog({ views, onClose, onNamed }: NameDialogProps) {
  const [name, setName] = useState("");
  const isUsed = views.some((view) => view.name === name.trim());
  return (
    <Dialog title="Save the filters as a view" onClose={onClose}>
      <Form failure={null} onSubmit={() => name.trim() !== "" && onNamed(name.trim())}>
        <TextField
          label="Name"
          hint={isUsed ? "Replaces the view with this name." : undefined}
          required
          maxLength={NAME_CHARACTERS_MAX}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <DialogActions>
          <Button text="Cancel" onClick={onClose} />
          <Button text="Save view" type="submit" look="primary" />
        </DialogActions>
      </Form>
    </Dialog>
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

const changed = new EventTarget();

function useSavedViews() {
  const { actor, tenant } = useMe();
  const key = `tradepost-views:${tenant.id}:${actor.id}:orders`;
  const text = useSyncExternalStore(subscribe, () => stored(key) ?? null);
  const write = (views: readonly SavedView[]) => {
    keep(key, JSON.stringify(views));
    changed.dispatchEvent(new Event("change"));
  };
  return { views: parsed(text), write };
}

function subscribe(onChange: () => void): () => void {
  changed.addEventListener("change", onChange);
  // Another tab has changed the views.
  addEventListener("storage", onChange);
  return () => {
    changed.removeEventListener("change", onChange);
    removeEventListener("storage", onChange);
  };
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
