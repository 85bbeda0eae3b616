// Handles the end of the session, here or in another tab. Without typed text on the screen, the sign-in is shown, and leads back to
// the same address. With typed text, the screen stays, and the user signs in over it. Only the same user gets the screen back.
import { focusManager } from "@tanstack/react-query";
import { type AnyRouter, Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { queryClient } from "./data/query-client.ts";
import { session } from "./session/session.ts";
import { createStore } from "./session/store.ts";
import { userOf } from "./session/token.ts";
import { useStore } from "./session/use-store.ts";
import { hasText } from "./ui/unsaved.ts";

export const loadSignInAgain = () => import("./screens/sign-in/sign-in-again.tsx");

const SignInAgain = lazy(loadSignInAgain);

/** Discards the text on the screen, while the screen waits for its user; null otherwise. */
const waiting = createStore<(() => void) | null>(null);

export function followSession(router: AnyRouter): void {
  // The session may have been read before this module.
  let user = signedIn();
  const showSignIn = () => {
    user = undefined;
    setWaiting(null);
    queryClient.clear();
    void router.invalidate();
  };
  session.subscribe(() => {
    const now = session.get();
    if (now.status === "signed out" && user !== undefined && waiting.get() === null) {
      if (hasText()) setWaiting(showSignIn);
      else showSignIn();
    }
    if (now.status !== "signed in") return;
    const before = user;
    user = signedIn();
    if (waiting.get() === null) return;
    setWaiting(null);
    if (user === before) return void queryClient.invalidateQueries();
    queryClient.clear();
    void router.navigate({ to: "/", ignoreBlocker: true });
  });
}

function signedIn(): string | undefined {
  const now = session.get();
  return now.status === "signed in" ? userOf(now.token) : undefined;
}

function setWaiting(discard: (() => void) | null): void {
  waiting.set(discard);
  // As in a tab in the background, nothing is read every few seconds: each request would be refused.
  focusManager.setFocused(discard === null ? undefined : false);
}

export function Root() {
  const discard = useStore(waiting);
  const isSignIn = useLocation({ select: ({ pathname }) => pathname === "/sign-in" });
  return (
    <>
      <Outlet />
      <Suspense>{discard !== null && !isSignIn && <SignInAgain onDiscard={discard} />}</Suspense>
    </>
  );
}
