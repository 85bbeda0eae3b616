// Shown if the address has no token: it was typed by hand, or reloaded.
import { Link } from "@tanstack/react-router";
import { Note } from "../../ui/note.tsx";

export function NoLink() {
  return (
    <>
      <Note tone="warning" title="The link is incomplete">
        <p>
          Open the whole link that you were given once more. If you do not have it, ask an admin of your shop
          for another.
        </p>
      </Note>
      <p>
        You have a password already? <Link to="/sign-in">Sign in</Link>
      </p>
    </>
  );
}
