// Shown if somebody is signed in. The link may belong to another user, but only using it would tell.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../../data/use-read.ts";
import { signOut } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";

export function SignedInAlready() {
  const me = useRead("getMe");
  const [failed, setFailed] = useState(false);
  const leave = () => signOut().catch(() => setFailed(true));
  return (
    <>
      <Note tone="info" title={me.data ? `You are signed in as ${me.data.actor.name}` : "You are signed in"}>
        <p>
          The link sets the password of the person it was made for, and does not say who that is. Sign out
          first, then choose the password.
        </p>
      </Note>
      {failed && <Note tone="danger" title="You are still signed in: Tradepost does not respond" isAlert />}
      <div className="row">
        <Button look="primary" onClick={leave}>
          Sign out and go on
        </Button>
        <Link to="/account">Stay signed in, and keep the link for later</Link>
      </div>
    </>
  );
}
