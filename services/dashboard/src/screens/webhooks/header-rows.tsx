// The headers that a subscription sends with every attempt. Saved values are never shown.
import type { ErrorDetail } from "@tradepost/client/operations";
import { useEffect, useId, useRef, useState } from "react";
import { sentence } from "../../api/field-errors.ts";
import { Button } from "../../ui/button.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { HEADERS_MAX, type Header, KEPT } from "./draft.ts";
import "./header-rows.css";

interface HeaderRowsProps {
  readonly from: readonly Header[];
  readonly details: readonly ErrorDetail[];
}

export function HeaderRows({ from, details }: HeaderRowsProps) {
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
      <Button look="quiet" onClick={onRemove}>
        Remove<span className="hidden"> header {number}</span>
      </Button>
      {error && (
        <p className="field-error" id={id}>
          {sentence(error.message)}
        </p>
      )}
    </div>
  );
}
