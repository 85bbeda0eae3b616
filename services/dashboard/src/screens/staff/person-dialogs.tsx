// Nobody chooses a password for someone else: a new person gets a setup link, which is shown once.
import { useMe } from "../../data/me.ts";
import type { Role } from "../../session/roles.ts";
import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { ShownOnceDialog } from "../../ui/dialog.tsx";
import { ChoiceField, TextField } from "../../ui/field.tsx";
import { explaining } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { Time } from "../../ui/value.tsx";
import { changesOf, type Person, rolesToGive, setupAddress } from "./manage.ts";

interface AddPersonDialogProps {
  readonly onClose: () => void;
  readonly onAdded: (link: SetupLink) => void;
}

const NAME_CHARACTERS_MAX = 200;
const EMAIL_CHARACTERS_MAX = 320;

export function AddPersonDialog({ onClose, onAdded }: AddPersonDialogProps) {
  return (
    <ChangeDialog
      title="Add a person"
      action="Add person"
      operation="createUser"
      input={(form) => ({ body: { ...nameAndRoleIn(form), email: String(form.get("email")).trim() } })}
      conflicts={{ email_taken: "email" }}
      stale={["listUsers", "listAuditLog"]}
      onDone={({ name, setup }) =>
        onAdded({ name, token: setup?.token ?? null, expiresAt: setup?.expiresAt ?? null })
      }
      onClose={onClose}
    >
      <TextField label="Name" name="name" required maxLength={NAME_CHARACTERS_MAX} />
      <TextField
        label="E-mail"
        hint="They sign in with it. It cannot be changed later."
        name="email"
        type="email"
        required
        maxLength={EMAIL_CHARACTERS_MAX}
      />
      <RoleChoice initial="viewer" />
      <p className="note-small">
        You get a link to send to them. With it they choose their own password, which nobody else knows.
      </p>
    </ChangeDialog>
  );
}

function nameAndRoleIn(form: FormData) {
  return { name: String(form.get("name")).trim(), role: String(form.get("role")) as Role };
}

export function ChangePersonDialog({ person, isMe }: { readonly person: Person; readonly isMe: boolean }) {
  return (
    <ChangeDialog
      title={`Edit “${person.name}”`}
      action="Save"
      operation="updateUser"
      input={(form) => {
        const body = changesOf(person, { ...nameAndRoleIn(form), active: form.get("active") !== null });
        return body && { path: { id: person.id }, body };
      }}
      stale={isMe ? ["listUsers", "getMe"] : ["listUsers"]}
      done={({ name }) => `“${name}” is changed.`}
      explain={staffFailure}
    >
      {isMe && (
        <Note tone="warning" title="This is you">
          <p>With a lower role you cannot take this back yourself.</p>
        </Note>
      )}
      <TextField
        label="Name"
        name="name"
        required
        maxLength={NAME_CHARACTERS_MAX}
        defaultValue={person.name}
      />
      <RoleChoice initial={person.role} />
      <ChoiceField
        label="Access"
        type="checkbox"
        name="active"
        options={[
          {
            value: "on",
            text: "Active",
            hint: "Without it they are refused from their next request on, and cannot sign in.",
            isChosen: person.active,
          },
        ]}
      />
    </ChangeDialog>
  );
}

function RoleChoice({ initial }: { readonly initial: Role }) {
  const { actor } = useMe();
  return (
    <ChoiceField
      label="Role"
      type="radio"
      name="role"
      isRequired
      options={rolesToGive(actor.role).map(({ role, name, may }) => ({
        value: role,
        text: name,
        hint: may,
        isChosen: role === initial,
      }))}
    />
  );
}

export const staffFailure = explaining(
  "last_owner",
  "This is the last active owner",
  "A shop always has one, or nobody could manage it. Make someone else an owner first.",
);

export interface SetupLink {
  readonly name: string;
  /** Null if the request was carried out earlier, because the link was shown then. */
  readonly token: string | null;
  readonly expiresAt: string | null;
}

interface SetupLinkDialogProps {
  readonly link: SetupLink;
  readonly onSent: () => void;
}

export function SetupLinkDialog({ link: { name, token, expiresAt }, onSent }: SetupLinkDialogProps) {
  return (
    <ShownOnceDialog
      title={`The setup link of “${name}”`}
      secret={token && <CodeBlock text={setupAddress(location.origin, token)} what="the setup link" />}
      now={["Send it to them now", "Tradepost sends no e-mail and cannot show the link again."]}
      lost={[
        "The link was sent before",
        "If you do not have it, make a new one on the page of this person. It ends the earlier one.",
      ]}
      done="I have sent it"
      onDone={onSent}
    >
      {token !== null && (
        <p>
          Whoever opens it chooses the password, so send it to this person only. It works once
          {expiresAt !== null && (
            <>
              {" "}
              and expires <Time at={expiresAt} />
            </>
          )}
          .
        </p>
      )}
    </ShownOnceDialog>
  );
}
