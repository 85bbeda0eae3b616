// Signs in with e-mail and password, and a code if the user has a second factor. Then it opens the address that was asked for.
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { session } from "../../session/session.ts";
import { useStore } from "../../session/use-store.ts";
import { Mark } from "../../ui/icons.tsx";
import { Note } from "../../ui/note.tsx";
import { SecondStep, SignInForm, useSignIn } from "./sign-in-form.tsx";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The e-mail of the user who has just set a password. Only this tab knows it. */
    readonly email?: string;
  }
}

export default function SignIn() {
  const { next = "/", failure } = useSearch({ from: "/sign-in" });
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
      <div className="alone-form">
        <header>
          <Mark />
          <h1>Sign in to Tradepost</h1>
        </header>
        <SignInForm
          attempt={attempt}
          email={email}
          note={
            email !== undefined ? (
              <Note tone="info" title="Your password is set. Sign in with it." isAlert />
            ) : (
              failure && <ExpiredLink />
            )
          }
        />
      </div>
    </main>
  );
}

function ExpiredLink() {
  return (
    <Note tone="warning" title="This sign-in link no longer works" isAlert>
      <p>
        It was used, or is older than 10 minutes. Sign in with the e-mail and password that{" "}
        <code>npm start</code> printed, or start it again for a new link.
      </p>
    </Note>
  );
}
