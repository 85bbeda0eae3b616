// The saved views of a list, to open, and the current filters, to save under a name. Views are kept in this browser, separately for
// each shop and person.
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { useMe } from "../data/me.ts";
import { keep, stored } from "../session/storage.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Form } from "./form.tsx";
import { say } from "./toasts.tsx";
import "./filters.css";

interface SavedViewsProps<Search extends object> {
  /** Names the list in the browser's storage. */
  readonly list: string;
  /** The current filters; empty for none. */
  readonly search: Search;
  /** Checks the filters of a view, which an earlier version of the dashboard may have saved. */
  readonly searchOf: (search: Readonly<Record<string, unknown>>) => Search;
  /** False if the filters need no view, because the list has a tab for them. */
  readonly isSavable?: boolean;
  /** Renders a link to the list with the filters. */
  readonly link: (view: { readonly search: Search; readonly name: string }) => ReactNode;
}

export function SavedViews<Search extends object>({
  list,
  search,
  searchOf,
  isSavable = Object.keys(search).length > 0,
  link,
}: SavedViewsProps<Search>) {
  const { views, save, remove } = useSavedViews(list);
  const [isNaming, setNaming] = useState(false);
  const open = views.find((view) => isSame(searchOf(view.search), search));
  if (views.length === 0 && !isSavable) return null;
  return (
    <div className="row saved-views">
      {views.length > 0 && <span className="soft">Views:</span>}
      {views.map((view) => (
        <span key={view.name}>{link({ search: searchOf(view.search), name: view.name })}</span>
      ))}
      {open !== undefined && (
        <Button look="quiet" onClick={() => remove(open)}>
          Remove view “{open.name}”
        </Button>
      )}
      {open === undefined && isSavable && (
        <Button look="quiet" onClick={() => setNaming(true)}>
          Save these filters as a view
        </Button>
      )}
      {isNaming && (
        <NameDialog
          views={views}
          onClose={() => setNaming(false)}
          onNamed={(name) => {
            save({ name, search: Object.fromEntries(Object.entries(search)) });
            say(`The view “${name}” is saved in this browser.`);
            setNaming(false);
          }}
        />
      )}
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
        <Field label="Name" hint={isUsed ? "Replaces the view with this name." : undefined}>
          {(control) => (
            <input
              {...control}
              className="input"
              required
              maxLength={NAME_CHARACTERS_MAX}
              autoComplete="off"
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Save view
          </Button>
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

const NONE: readonly SavedView[] = [];
const changed = new EventTarget();
// A store must return the same list until it changes.
const read = new Map<string, { readonly text: string | null; readonly views: readonly SavedView[] }>();

function useSavedViews(list: string) {
  const { actor, tenant } = useMe();
  const key = `tradepost-views:${tenant.id}:${actor.id}:${list}`;
  const views = useSyncExternalStore(subscribe, () => viewsOf(key));
  return {
    views,
    save: (view: SavedView) => write(key, [...views.filter(({ name }) => name !== view.name), view]),
    remove: (removed: SavedView) =>
      write(
        key,
        views.filter(({ name }) => name !== removed.name),
      ),
  };
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

function viewsOf(key: string): readonly SavedView[] {
  const text = stored(key) ?? null;
  const known = read.get(key);
  if (known?.text === text) return known.views;
  const views = parsed(text);
  read.set(key, { text, views });
  return views;
}

function write(key: string, views: readonly SavedView[]): void {
  keep(key, JSON.stringify(views));
  changed.dispatchEvent(new Event("change"));
}

function parsed(text: string | null): readonly SavedView[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isView) : NONE;
  } catch {
    return NONE;
  }
}

function isView(value: unknown): value is SavedView {
  const { name, search } = (value ?? {}) as Partial<SavedView>;
  return typeof name === "string" && typeof search === "object" && search !== null;
}
