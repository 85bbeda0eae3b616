// Knows whether typed text would be lost if the user were signed out. Forms and guards register here while they are on the screen.
import { createContext, type RefObject, useEffect, useRef } from "react";
import { say } from "../data/messages.ts";
import { signOut } from "../session/session.ts";

type Check = () => boolean;

const guards = new Set<Check>();
const forms = new Set<Check>();
let isDiscarding = false;

/** Reports whether a guard on the screen has unsaved text. */
export function isUnsaved(): boolean {
  return [...guards].some((check) => check());
}

/** Reports whether a form on the screen has text that would be lost with it. Text that is just being sent counts: it may be refused. */
export function hasText(): boolean {
  return !isDiscarding && [...guards, ...forms].some((check) => check());
}

export async function signOutNow(): Promise<void> {
  isDiscarding = true;
  await signOut().catch(() => say("You are still signed in: Tradepost does not respond."));
  isDiscarding = false;
}

/** For a component that asks before unsaved text is lost. */
export function useGuard(check: Check): void {
  useRegistered(guards, check);
}

/** For a form, with or without a guard around it. */
export function useText(check: Check): void {
  useRegistered(forms, check);
}

function useRegistered(checks: Set<Check>, check: Check): void {
  const latest = useRef(check);
  useEffect(() => {
    latest.current = check;
  });
  useEffect(() => {
    const registered = () => latest.current();
    checks.add(registered);
    return () => {
      checks.delete(registered);
    };
  }, [checks]);
}

/** Whether a form has typed text that would be lost, for the dialog or the screen that surrounds it. */
export const TypedText = createContext<RefObject<boolean> | null>(null);
