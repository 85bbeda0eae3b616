// The page of a setup link: the user chooses a password, and continues to the sign-in. The token is in the fragment of the address,
// which no server sees, and is removed from the address as soon as it is read.
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { resume } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { Mark } from "../../ui/icons.tsx";
import { ChoosePassword } from "./choose-password.tsx";
import { NoLink } from "./no-link.tsx";
import { SignedInAlready } from "./signed-in-already.tsx";
import "./set-up.css";

export default function SetUp() {
  const token = useTokenOfAddress();
  const { status } = useSession();
  useEffect(() => {
    document.title = "Choose a password · Tradepost";
    // Without a connection the form is shown as if nobody were signed in, and then reports that there is no connection.
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

/** Returns the token, even of a second link that is pasted into the same tab. */
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
