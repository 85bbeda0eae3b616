// The overlays of the screens: the search and the list of shortcuts, which are loaded when they are first opened, and a question
// before text is lost by signing out.
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { createStore } from "../session/store.ts";
import { useStore } from "../session/use-store.ts";
import { LeaveQuestion } from "../ui/dialog.tsx";
import { isUnsaved, signOutNow } from "../ui/unsaved.ts";
import { overlay, singleKeys } from "./overlay.ts";
import { shortcutOf } from "./shortcuts.ts";

const loadPalette = () => import("./palette/palette.tsx");
const loadShortcuts = () => import("./palette/shortcuts-page.tsx");

const Palette = lazy(loadPalette);
const Shortcuts = lazy(loadShortcuts);

/** Loads both, so that they open at once and without a connection. */
export const OVERLAYS = [loadPalette, loadShortcuts];

export function Overlays() {
  useShortcuts();
  const open = useStore(overlay);
  // The next session begins without an overlay.
  useEffect(() => () => overlay.set(null), []);
  return (
    <Suspense>
      <SignOutQuestion />
      {open === "search" && <Palette />}
      {open === "shortcuts" && <Shortcuts />}
    </Suspense>
  );
}

const isAsking = createStore(false);

export function leave(): void {
  if (isUnsaved()) isAsking.set(true);
  else void end();
}

function end(): Promise<void> {
  isAsking.set(false);
  return signOutNow();
}

function SignOutQuestion() {
  return useStore(isAsking) && <LeaveQuestion onStay={() => isAsking.set(false)} onLeave={end} />;
}

const AFTER_GO_MS = 1_500;

function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goUntil = 0;
    const pressed = (event: KeyboardEvent) => {
      const isDialogOpen = document.querySelector("dialog[open]") !== null;
      const shortcut = shortcutOf(event, {
        isTaken: event.defaultPrevented || isDialogOpen || isTyping(event.target),
        hasSingleKeys: singleKeys.get() === "on",
        isAfterGo: event.timeStamp < goUntil,
      });
      // Shift is pressed before the key itself.
      if (event.key !== "Shift") goUntil = 0;
      // A shortcut would lose the form in the dialog.
      if (shortcut === undefined || isDialogOpen) return;
      event.preventDefault();
      switch (shortcut) {
        case "search":
          return overlay.set("search");
        case "help":
          return overlay.set("shortcuts");
        case "go":
          goUntil = event.timeStamp + AFTER_GO_MS;
          return;
        case "next row":
          return focusRow(1);
        case "previous row":
          return focusRow(-1);
        default:
          return void navigate({ to: shortcut });
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [navigate]);
}

/** A checkbox or radio button takes no letters. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]')
  );
}

/** Moves the focus between the rows of the screen's lists. Enter then opens the row. */
function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll("#content .table > tbody > tr")];
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>("a") ?? []);
  const current = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  const next = current === -1 ? (by === 1 ? 0 : links.length - 1) : current + by;
  links[next]?.focus();
}
