// The search and the list of shortcuts, which are loaded when they are first opened.
import { lazy, Suspense, useEffect } from "react";
import { useStore } from "../session/use-store.ts";
import { overlay } from "./overlay.ts";
import { SignOutQuestion } from "./sign-out.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

const loadPalette = () => import("./palette/palette.tsx");
const loadShortcuts = () => import("./palette/shortcuts-page.tsx");

const Palette = lazy(() => loadPalette().then(({ Palette: component }) => ({ default: component })));
const Shortcuts = lazy(() =>
  loadShortcuts().then(({ ShortcutsPage: component }) => ({ default: component })),
);

/** Loads both, so that they open at once and without a connection. */
export const OVERLAYS = [loadPalette, loadShortcuts];

export function Overlays() {
  useShortcuts();
  const open = useStore(overlay);
  // The next session begins without it.
  useEffect(() => () => overlay.set(null), []);
  return (
    <Suspense>
      <SignOutQuestion />
      {open === "search" && <Palette />}
      {open === "shortcuts" && <Shortcuts />}
    </Suspense>
  );
}
