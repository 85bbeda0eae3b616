// Where the key of the examples comes from.
import { Link } from "@tanstack/react-router";
import { holderOf, useMe } from "../../data/me.ts";
import { isAllowed } from "../../session/roles.ts";

export function KeyNote() {
  const isAdmin = isAllowed(holderOf(useMe()), { role: "admin" });
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
