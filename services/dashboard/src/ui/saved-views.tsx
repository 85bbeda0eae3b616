// The saved views of a list, to open, and the current filters, to save under a name.
import { type ReactNode, useState } from "react";
import { type SavedView, useSavedViews } from "../data/use-saved-views.ts";
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
