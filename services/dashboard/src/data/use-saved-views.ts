// The views that a person has saved of a list: names for filters. They are kept in this browser, separately for each shop and
// person.
import { useSyncExternalStore } from "react";
import { keep, stored } from "../session/storage.ts";
import { useMe } from "./me.ts";

export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

const NONE: readonly SavedView[] = [];
const changed = new EventTarget();
// A store must return the same list until it changes.
const read = new Map<string, { readonly text: string | null; readonly views: readonly SavedView[] }>();

export function useSavedViews(list: string) {
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
