// Where the key of the examples comes from.
import { Link } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";

export function KeyNote() {
  const isAdmin = useIsAllowed({ role: "admin" });
  return (
    <p className="note-small">
      The examples show the beginning of a key. The whole one was shown when it was created;{" "}
      {isAdmin ? (
        <Link to="/ai-integrations" search={{ create: true }}>
          create another
        </Link>
      ) : (
        "an admin can create another"
      )}{" "}
      for each program.
    </p>
  );
}
