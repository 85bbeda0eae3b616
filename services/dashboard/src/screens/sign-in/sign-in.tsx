// Signs in with e-mail and password, and a code if the user has a second factor, or at the provider. Then it opens the address that
// was asked for.
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useProvider } from "../../data/use-provider.ts";
import { expectSession, session } from "../../session/session.ts";
import { useStore } from "../../session/use-store.ts";
import { Note } from "../../ui/note.tsx";
import { ProviderFailure } from "../../ui/provider-failure.tsx";
import { Alone } from "../../ui/screen.tsx";
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
  // Somebody who comes here signed in has tried to link an account of the provider.
  const [wasSignedIn] = useState(isSignedIn);
  const attempt = useSignIn();
  // Runs also when another tab has signed in.
  useEffect(() => {
    if (isSignedIn && wasSignedIn && failure)
      void navigate({ to: "/account", search: { failure }, replace: true });
    else if (isSignedIn) void navigate({ href: next, replace: true });
  }, [isSignedIn, wasSignedIn, navigate, next, failure]);
  if (attempt.data) return <SecondStep unfinished={attempt.data} onBegin={attempt.reset} />;
  return (
    <Alone title="Sign in" heading="Sign in to Tradepost">
      <SignInForm
        attempt={attempt}
        email={email}
        note={
          email !== undefined ? (
            <Note tone="info" title="Your password is set. Sign in with it." isAlert />
          ) : (
            failure && <ProviderFailure failure={failure} />
          )
        }
      />
      <ProviderButton next={next} />
    </Alone>
  );
}

/** A navigation: the provider sends the browser back to the dashboard. */
function ProviderButton({ next }: { readonly next: string }) {
  const { isOffered, name } = useProvider();
  if (!isOffered) return null;
  return (
    <a className="button button-plain" href="/v1/auth/oidc/start" onClick={() => expectSession(next)}>
      Sign in with {name}
    </a>
  );
}
