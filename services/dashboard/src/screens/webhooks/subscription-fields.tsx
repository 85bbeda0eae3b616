import type { ErrorDetail } from "@tradepost/client/operations";
import { useEffect, useId, useRef, useState } from "react";
import { quoted } from "../../api/curl.ts";
import { fieldErrors, sentence } from "../../api/field-errors.ts";
import { useMe } from "../../data/me.ts";
import { useEventTypes } from "../../data/use-event-types.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { Note } from "../../ui/note.tsx";
import { listenCommands, useOwnValues } from "../guides/door.tsx";
import { type Draft, HEADERS_MAX, type Header, KEPT } from "./draft.ts";
import { EVENT_NAMES, EventsAndFilter } from "./events-and-filter.tsx";
import { PAYLOADS } from "./state.ts";
import { exampleBody } from "./texts.ts";
import "./subscription-fields.css";

interface SubscriptionFieldsProps {
  readonly from: Draft;
  readonly details: readonly ErrorDetail[];
}

const NAMES = ["name", "url", ...EVENT_NAMES, "maxPerSecond", "maxInFlight", "headers"] as const;
const NAME_CHARACTERS_MAX = 200;
const URL_CHARACTERS_MAX = 2_048;
/** Their bounds are checked by the platform, which names them in its errors. */
const LIMITS = [
  { label: "Attempts a second, at most", name: "maxPerSecond" },
  { label: "Attempts at a time, at most", name: "maxInFlight" },
] as const;

export function otherDetails(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  return fieldErrors(details, NAMES).rest;
}

export function SubscriptionFields({ from, details }: SubscriptionFieldsProps) {
  const { byField } = fieldErrors(details, NAMES);
  const [url, setUrl] = useState(from.url);
  const [[type], setTypes] = useState(from.events);
  const [payload, setPayload] = useState(from.payload);
  return (
    <>
      <TextField
        label="Name"
        hint="Which system receives it."
        error={byField.name}
        name="name"
        required
        maxLength={NAME_CHARACTERS_MAX}
        defaultValue={from.name}
      />
      <TextField
        label="URL"
        hint="It begins with https:// and responds to a POST with 2xx within 10 seconds."
        error={byField.url}
        name="url"
        type="url"
        required
        maxLength={URL_CHARACTERS_MAX}
        defaultValue={from.url}
        placeholder="https://example.com/hooks"
        spellCheck={false}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      {isLocal(url) && <ForwardToThisMachine url={url} />}
      <EventsAndFilter from={from} details={details} onChoose={setTypes} />
      <SelectField
        onChange={({ currentTarget }) => setPayload(currentTarget.value === "thin" ? "thin" : "full")}
        label="Data"
        hint="Thin: its id, type, state and version, and which fields changed. The receiver reads the rest from the API."
        name="payload"
        defaultValue={from.payload}
        options={Object.entries(PAYLOADS).map(([value, text]) => ({ value, text }))}
      />
      {type !== undefined && <BodyPreview type={type} payload={payload} />}
      {LIMITS.map(({ label, name }) => (
        <TextField
          key={name}
          label={label}
          hint="Empty for no limit."
          error={byField[name]}
          name={name}
          type="number"
          step="any"
          inputMode="numeric"
          defaultValue={from[name] ?? ""}
        />
      ))}
      <HeaderRows from={from.headers} details={details} />
    </>
  );
}

interface BodyPreviewProps {
  readonly type: EventType;
  readonly payload: Draft["payload"];
}

/** What the receiver gets for the first of the chosen events. */
function BodyPreview({ type, payload }: BodyPreviewProps) {
  const { tenant } = useMe();
  const item = useEventTypes().items.get(type);
  if (item === undefined) return null;
  const data = payload === "thin" ? item.thinExample : item.example;
  return (
    <details>
      <summary>What is sent for “{EVENT_TYPES[type]}”</summary>
      <CodeBlock text={exampleBody(type, data, tenant.id)} what="the example" />
    </details>
  );
}

const LOCAL = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/i;

function isLocal(url: string): boolean {
  return LOCAL.test(url.trim());
}

/** Offered for a URL of the person's own machine, which the platform cannot reach. */
function ForwardToThisMachine({ url }: { readonly url: string }) {
  const { origin, key } = useOwnValues();
  return (
    <Note tone="info" title="Forward to this machine">
      <p>
        Webhooks cannot reach this URL. Instead of a subscription, run this on the machine: it fetches the
        events and sends them to the URL, until you stop it.
      </p>
      <CodeBlock text={listenCommands(origin, key, url.trim())} what="the commands" />
      {isLocal(origin) && (
        <p className="note-small">
          In the folder of <code>npm start</code>,{" "}
          <code>npm run listen -- --forward-to {quoted(url.trim())}</code> needs no key.
        </p>
      )}
    </Note>
  );
}

interface HeaderRowsProps {
  readonly from: readonly Header[];
  readonly details: readonly ErrorDetail[];
}

/** The headers of every attempt. Saved values are never shown. */
function HeaderRows({ from, details }: HeaderRowsProps) {
  const [rows, setRows] = useState(() => from.map((header, key) => ({ key, header })));
  const nextKey = useRef(from.length);
  const add = () => {
    setRows([...rows, { key: nextKey.current, header: ["", ""] }]);
    nextKey.current += 1;
  };
  const all = details.find(({ path }) => path === "headers");
  const hasKept = from.some(([, value]) => value === KEPT);
  return (
    <fieldset className="field">
      <legend>
        Headers <span className="soft">(optional)</span>
      </legend>
      {rows.map(({ key, header }, index) => (
        <HeaderRow
          key={key}
          number={index + 1}
          header={header}
          details={details}
          isNew={key >= from.length}
          onRemove={() => setRows(rows.filter((row) => row.key !== key))}
        />
      ))}
      {rows.length < HEADERS_MAX && (
        <div>
          <Button onClick={add}>
            <PlusIcon /> Add a header
          </Button>
        </div>
      )}
      {all !== undefined && <p className="field-error">{sentence(all.message)}</p>}
      <p className="field-hint">
        Sent with every attempt, <code>Authorization</code> for example, if the receiver asks for it.
        {hasKept && ` A value of ${KEPT} keeps the saved one, unless the URL leads to another server.`}
      </p>
    </fieldset>
  );
}

interface HeaderRowProps {
  readonly number: number;
  readonly header: Header;
  readonly details: readonly ErrorDetail[];
  readonly isNew: boolean;
  readonly onRemove: () => void;
}

function HeaderRow({ number, header: [name, value], details, isNew, onRemove }: HeaderRowProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(name);
  useEffect(() => {
    if (isNew) input.current?.focus();
  }, [isNew]);
  const error = details.find(({ path }) => path === `headers.${typed.trim()}`);
  const fault = error && { "aria-invalid": true as const, "aria-describedby": id };
  return (
    <div className="header-row">
      <input
        {...fault}
        ref={input}
        className="input"
        name="headerName"
        aria-label={`Name of header ${number}`}
        placeholder="Name"
        required
        defaultValue={name}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <input
        {...fault}
        className="input"
        name="headerValue"
        aria-label={`Value of header ${number}`}
        placeholder="Value"
        required
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
      />
      <Button look="quiet" onClick={onRemove} about={`header ${number}`}>
        Remove
      </Button>
      {error && (
        <p className="field-error" id={id}>
          {sentence(error.message)}
        </p>
      )}
    </div>
  );
}
