import { type ReactNode, useState } from "react";
import { useMe } from "../../data/me.ts";
import { linesOf } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { AreaField, FieldGroup, OverlapField, SelectField, TextField } from "../../ui/field.tsx";
import { Time } from "../../ui/value.tsx";
import {
  type ApiKey,
  choicesToShorten,
  EXPIRIES,
  expiresAtOf,
  isSameSet,
  moduleOf,
  PRESETS,
  SCOPES,
  type Scope,
} from "./keys.ts";
import type { NewSecret } from "./secret-dialog.tsx";
import "./key-dialogs.css";

const NO_SCOPE = "Choose at least one: without a scope the key could do nothing.";

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (secret: NewSecret) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  return (
    <ChangeDialog
      title="Create a key"
      action="Create key"
      operation="createApiKey"
      input={(form) => ({ body: newKeyIn(form) })}
      stale={["listApiKeys"]}
      onDone={({ key, label }) => onCreated({ key, label })}
      onClose={onClose}
    >
      <LabelField />
      <ExpiryFields hint="Optional. From then on the key is refused." choices={EXPIRIES} />
      <AddressesField />
      <ScopeChoice />
    </ChangeDialog>
  );
}

function newKeyIn(form: FormData) {
  return {
    label: String(form.get("label")),
    scopes: form.getAll("scopes") as Scope[],
    allowedAddresses: addressesIn(form),
    expiresAt: expiresAtOf(String(form.get("expiry")), String(form.get("date") ?? ""), Date.now()),
  };
}

const LABEL_CHARACTERS_MAX = 200;

interface ChangeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** The expiry of a key can only be brought forward. */
export function ChangeKeyDialog({ apiKey, onClose }: ChangeKeyDialogProps) {
  return (
    <ChangeDialog
      title={`Edit “${apiKey.label}”`}
      action="Save"
      operation="updateApiKey"
      input={(form) => ({ path: { id: apiKey.id }, body: changeIn(form) })}
      stale={["listApiKeys"]}
      done={({ label }) => `The key “${label}” is changed.`}
      onClose={onClose}
    >
      <LabelField label={apiKey.label} />
      <ExpiryFields
        hint={
          apiKey.expiresAt === null ? (
            "It never expires now. An expiry cannot be taken back."
          ) : (
            <>
              It expires <Time at={apiKey.expiresAt} />. An expiry can only be brought forward.
            </>
          )
        }
        choices={choicesToShorten(apiKey.expiresAt, Date.now())}
      />
      <AddressesField addresses={apiKey.allowedAddresses} />
      <p className="note-small">
        Scopes stay as they are: for others, create another key. To change the secret, rotate the key.
      </p>
    </ChangeDialog>
  );
}

function changeIn(form: FormData) {
  const choice = String(form.get("expiry"));
  return {
    label: String(form.get("label")),
    allowedAddresses: addressesIn(form),
    ...(choice !== "same" && {
      expiresAt: expiresAtOf(choice, String(form.get("date") ?? ""), Date.now()),
    }),
  };
}

function LabelField({ label }: { readonly label?: string }) {
  return (
    <TextField
      label="Label"
      hint="Which program or assistant uses it."
      name="label"
      required
      maxLength={LABEL_CHARACTERS_MAX}
      defaultValue={label}
    />
  );
}

function AddressesField({ addresses }: { readonly addresses?: readonly string[] | null }) {
  return (
    <AreaField
      label="Addresses"
      hint="Optional, one on each line: 203.0.113.7 or 2001:db8::/32. From elsewhere the key is refused."
      name="allowedAddresses"
      defaultValue={addresses?.join("\n")}
      spellCheck={false}
    />
  );
}

function addressesIn(form: FormData): string[] | null {
  const addresses = linesOf(form.get("allowedAddresses"));
  return addresses.length === 0 ? null : addresses;
}

interface ExpiryFieldsProps {
  readonly hint: ReactNode;
  /** Begins with the first choice. */
  readonly choices: readonly { readonly value: string; readonly text: string }[];
}

/** Asks for a date only if `date` is chosen. */
function ExpiryFields({ hint, choices }: ExpiryFieldsProps) {
  const [choice, setChoice] = useState(choices[0]?.value);
  const isDate = choice === "date";
  return (
    <>
      <SelectField
        label="Expires"
        hint={hint}
        path={isDate ? undefined : "expiresAt"}
        name="expiry"
        options={choices}
        value={choice}
        onChange={(event) => setChoice(event.currentTarget.value)}
      />
      {isDate && (
        <TextField
          label="Date"
          hint="The key works until the end of this day."
          path="expiresAt"
          name="date"
          type="date"
          required
        />
      )}
    </>
  );
}

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRotated: (secret: NewSecret) => void;
}

const REMARK =
  "The old key is in the list until it expires. Its last use shows whether anything still needs it.";

/** Both keys work for a while, so that the program can be changed meanwhile. */
export function RotateKeyDialog({ apiKey, onClose, onRotated }: RotateKeyDialogProps) {
  return (
    <ChangeDialog
      title={`Rotate “${apiKey.label}”`}
      action="Rotate key"
      operation="rotateApiKey"
      input={(form) => ({
        path: { id: apiKey.id },
        body: { overlapHours: Number(form.get("overlapHours")) },
      })}
      stale={["listApiKeys"]}
      onDone={({ key, label }) => onRotated({ key, label, remark: REMARK })}
      onClose={onClose}
    >
      <p>You get a new key with the same label and scopes.</p>
      <OverlapField
        label="The old key goes on working"
        none="Not at all: it is refused at once"
        hint="Time to put the new key where the old one is. It never works longer than it would have."
      />
    </ChangeDialog>
  );
}

/** The platform accepts a key that may do nothing. Nobody who fills in this form wants one. */
function ScopeChoice() {
  const { tenant } = useMe();
  const [chosen, choose] = useState<readonly Scope[]>([]);
  const toggle = (scope: Scope) =>
    choose(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope]);
  return (
    <FieldGroup label="Scopes" hint="A scope to write does not include the one to read." path="scopes">
      <div className="presets">
        {PRESETS.map(({ name, scopes }) => (
          <Button
            text={name}
            key={name}
            aria-pressed={isSameSet(chosen, scopes)}
            onClick={() => choose(scopes)}
          />
        ))}
      </div>
      <div className="choices">
        {SCOPES.map(({ scope, permits }) => (
          <label key={scope} className="choice">
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              checked={chosen.includes(scope)}
              ref={(box) => box?.setCustomValidity(chosen.length === 0 ? NO_SCOPE : "")}
              onChange={() => toggle(scope)}
            />
            <code>{scope}</code>
            <small>
              {permits}
              {!tenant.modules.includes(moduleOf(scope)) &&
                ` The module “${moduleOf(scope)}” is not active, so it has no effect yet.`}
            </small>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
