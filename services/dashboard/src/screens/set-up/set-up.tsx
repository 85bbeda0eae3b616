// The page of a setup link: its owner chooses a password, and goes on to the sign-in. The token is in the fragment of the
// address, which no server sees, and leaves the address as soon as it is read.
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { resume } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { Mark } from "../../ui/icons.tsx";
import { ChoosePassword } from "./choose-password.tsx";
import { NoLink } from "./no-link.tsx";
import { SignedInAlready } from "./signed-in-already.tsx";
import "./set-up.css";

export function SetUp() {
  const token = useTokenOfAddress();
  const { status } = useSession();
  useEffect(() => {
    document.title = "Choose a password · Tradepost";
    // Without a connection nobody seems to be signed in; the form then says that there is none.
    resume().catch(() => undefined);
  }, []);
  return (
    <main className="alone">
      <div className="set-up">
        <header>
          <Mark />
          <h1>Choose a password</h1>
        </header>
        {token === "" ? (
          <NoLink />
        ) : status === "signed in" ? (
          <SignedInAlready />
        ) : (
          <ChoosePassword token={token} />
        )}
      </div>
    </main>
  );
}

/** Also of a second link that is pasted into the same tab. */
function useTokenOfAddress(): string {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const [token, setToken] = useState(hash);
  useEffect(() => {
    if (hash === "") return;
    setToken(hash);
    void navigate({ to: "/set-up", replace: true });
  }, [hash, navigate]);
  return token;
}
