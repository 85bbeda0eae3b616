import { useId, useRef, useState } from "react";
import { quoted } from "../../api/curl.ts";
import { useMe } from "../../data/me.ts";
import { useEventTypes } from "../../data/use-receivers.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";
import { optionsOf } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { FieldGroup, SelectField, TextField } from "../../ui/field.tsx";
import { useFault, useFocusAdded } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { listenCommands, useOwnValues } from "../guides/door.tsx";
import { type Draft, KEPT } from "./draft.ts";
import { EventsAndFilter } from "./events-and-filter.tsx";
import { exampleBody, PAYLOADS } from "./texts.ts";
import "./subscription-fields.css";

const NAME_CHARACTERS_MAX = 200;
const URL_CHARACTERS_MAX = 2_048;
const HEADERS_MAX = 10;
/** Their bounds are checked by the platform, which names them in its errors. */
const LIMITS = [
  { label: "Attempts a second, at most", name: "maxPerSecond" },
  { label: "Attempts at a time, at most", name: "maxInFlight" },
] as const;

export function SubscriptionFields({ from }: { readonly from: Draft }) {
  const [url, setUrl] = useState(from.url);
  const [[type], setTypes] = useState(from.events);
  const [payload, setPayload] = useState(from.payload);
  return (
    <>
      <TextField
        label="Name"
        hint="Which system receives it."
        name="name"
        required
        maxLength={NAME_CHARACTERS_MAX}
        defaultValue={from.name}
      />
      <TextField
        label="URL"
        hint="It begins with https:// and responds to a POST with 2xx within 10 seconds."
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
      <EventsAndFilter from={from} onChoose={setTypes} />
      <SelectField
        onChange={({ currentTarget }) => setPayload(currentTarget.value === "thin" ? "thin" : "full")}
        label="Data"
        hint="Thin: its id, type, state and version, and which fields changed. The receiver reads the rest from the API."
        name="payload"
        defaultValue={from.payload}
        options={optionsOf(PAYLOADS)}
      />
      {type !== undefined && <BodyPreview type={type} payload={payload} />}
      {LIMITS.map(({ label, name }) => (
        <TextField
          key={name}
          label={label}
          hint="Empty for no limit."
          name={name}
          type="number"
          step="any"
          inputMode="numeric"
          defaultValue={from[name] ?? ""}
        />
      ))}
      <HeaderRows from={from.headers} />
    </>
  );
}

/** The body that the receiver gets for the first chosen type. */
function BodyPreview({ type, payload }: { readonly type: EventType; readonly payload: Draft["payload"] }) {
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
    <Note
      tone="info"
      title="Forward to this machine"
      text="Webhooks cannot reach this URL. Instead of a subscription, run this on the machine: it fetches the events and sends them to the URL, until you stop it."
    >
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

/** The headers of every attempt. Saved values are never shown. */
function HeaderRows({ from }: { readonly from: Draft["headers"] }) {
  const saved = Object.entries(from ?? {});
  const [rows, setRows] = useState(saved.map(([name, value], key) => ({ key, name, value })));
  const list = useRef<HTMLOListElement>(null);
  const nextKey = useRef(saved.length);
  useFocusAdded(list, rows.length);
  const add = () => setRows([...rows, { key: nextKey.current++, name: "", value: "" }]);
  return (
    <FieldGroup
      label={
        <>
          Headers <span className="soft">(optional)</span>
        </>
      }
      hint={
        <>
          Sent with every attempt, <code>Authorization</code> for example, if the receiver asks for it.
          {saved.length > 0 &&
            ` A value of ${KEPT} keeps the saved one, unless the URL leads to another server.`}
        </>
      }
      path="headers"
    >
      <ol ref={list} className="header-rows">
        {rows.map(({ key, ...row }, index) => (
          <HeaderRow
            key={key}
            number={index + 1}
            {...row}
            // An object has only one value for a name.
            isTwice={rows.some((other) => other.key !== key && other.name === row.name)}
            onName={(name) => setRows(rows.map((one) => (one.key === key ? { ...one, name } : one)))}
            onRemove={() => setRows(rows.filter((one) => one.key !== key))}
          />
        ))}
      </ol>
      {rows.length < HEADERS_MAX && (
        <div>
          <Button text="Add a header" icon="plus" onClick={add} />
        </div>
      )}
    </FieldGroup>
  );
}

interface HeaderRowProps {
  readonly number: number;
  readonly name: string;
  readonly value: string;
  readonly isTwice: boolean;
  readonly onName: (name: string) => void;
  readonly onRemove: () => void;
}

function HeaderRow({ number, name, value, isTwice, onName, onRemove }: HeaderRowProps) {
  const id = useId();
  const error = useFault(`headers.${name}`);
  const shared = {
    className: "input",
    required: true,
    autoComplete: "off",
    spellCheck: false,
    ...(error && { "aria-invalid": true as const, "aria-describedby": id }),
  };
  return (
    <li className="header-row" data-path={`headers.${name}`}>
      <input
        {...shared}
        ref={(input) => input?.setCustomValidity(isTwice ? "Is named twice." : "")}
        name="headerName"
        aria-label={`Name of header ${number}`}
        placeholder="Name"
        defaultValue={name}
        onChange={({ currentTarget }) => onName(currentTarget.value.trim())}
      />
      <input
        {...shared}
        name="headerValue"
        aria-label={`Value of header ${number}`}
        placeholder="Value"
        defaultValue={value}
      />
      <Button text="Remove" look="quiet" onClick={onRemove} about={`header ${number}`} />
      {error && (
        <p className="field-error" id={id}>
          {error}
        </p>
      )}
    </li>
  );
}
