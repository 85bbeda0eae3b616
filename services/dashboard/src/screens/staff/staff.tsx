import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import { useList } from "../../data/operations.ts";
import { textOfRole } from "../../session/roles.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, ListView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { Badge, Time } from "../../ui/value.tsx";
import { PAGE, type Person } from "./manage.ts";
import { AddPersonDialog, type SetupLink, SetupLinkDialog } from "./person-dialogs.tsx";
import { Passwords, Security } from "./security.tsx";
import { Status } from "./status.tsx";

export default function Staff() {
  const { add = false } = useSearch({ from: "/app/staff" });
  const navigate = useNavigate({ from: "/staff" });
  const [link, setLink] = useState<SetupLink | null>(null);
  const list = useList("listUsers", PAGE);
  const setAdding = (isOpen: boolean) => navigate({ search: isOpen ? { add: true } : {} });
  return (
    <Screen
      title="Staff"
      intro="Everyone who may sign in to this shop. Programs and assistants get a key of their own instead."
      action={<Button text="Add a person" icon="plus" look="primary" onClick={() => setAdding(true)} />}
    >
      <ListView list={list} empty={null}>
        {(people) => (
          <>
            <People people={people} />
            <Security people={people} />
            <Passwords />
          </>
        )}
      </ListView>
      <BehindTheScreen operation="listUsers" input={{ query: PAGE }} />
      {add && (
        <AddPersonDialog
          onClose={() => setAdding(false)}
          onAdded={async (added) => {
            await setAdding(false);
            setLink(added);
          }}
        />
      )}
      {link && <SetupLinkDialog link={link} onSent={() => setLink(null)} />}
    </Screen>
  );
}

function People({ people }: { readonly people: readonly Person[] }) {
  const { actor } = useMe();
  const columns: Column<Person>[] = [
    { name: "Person", cell: (person) => <Name person={person} isMe={person.id === actor.id} /> },
    { name: "Role", cell: ({ role }) => textOfRole(role).name },
    { name: "Status", cell: (person) => <Status person={person} /> },
    {
      name: "Second factor",
      cell: ({ secondFactor }) =>
        secondFactor ? <Badge tone="good">On</Badge> : <Badge tone="quiet">None</Badge>,
    },
    {
      name: "Last sign-in",
      cell: ({ lastSignInAt }) => (lastSignInAt ? <Time at={lastSignInAt} /> : "Never"),
    },
  ];
  return <Table caption="Staff" columns={columns} rows={people} />;
}

function Name({ person: { id, name, email }, isMe }: { readonly person: Person; readonly isMe: boolean }) {
  return (
    <>
      <Link to="/staff/$userId" params={{ userId: id }}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </Link>{" "}
      <span className="soft">
        {email}
        {isMe && " · this is you"}
      </span>
    </>
  );
}
