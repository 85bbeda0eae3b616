// Signs in with e-mail and password, and a code if the user has a second factor. Then it opens the address that was asked for.
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { useStore } from "../../session/use-store.ts";
import { Mark } from "../../ui/icons.tsx";
import { SecondStep, SignInForm, useSignIn } from "./sign-in-form.tsx";
import "./sign-in.css";
import { session } from "../../session/session.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The e-mail of the user who has just set a password. Only this tab knows it. */
    readonly email?: string;
  }
}

export default function SignIn() {
  const { next = "/" } = useSearch({ from: "/sign-in" });
  const email = useLocation({ select: ({ state }) => state.email });
  const navigate = useNavigate();
  const isSignedIn = useStore(session).status === "signed in";
  const attempt = useSignIn();
  useEffect(() => {
    document.title = "Sign in · Tradepost";
  }, []);
  // Runs also when another tab has signed in.
  useEffect(() => {
    if (isSignedIn) void navigate({ href: next, replace: true });
  }, [isSignedIn, navigate, next]);
  if (attempt.data) return <SecondStep unfinished={attempt.data} onBegin={attempt.reset} />;
  return (
    <main className="alone">
      <div className="sign-in">
        <header>
          <Mark />
          <h1>Sign in to Tradepost</h1>
        </header>
        <SignInForm attempt={attempt} email={email} hasNewPassword={email !== undefined} />
      </div>
    </main>
  );
}
