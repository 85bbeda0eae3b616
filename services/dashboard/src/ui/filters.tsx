// The filters above a list. They are in the address of the screen, so each change is known at once, and typed text when the typing
// pauses.
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { createContext, type FormEvent, type ReactNode, use, useEffect, useId, useRef } from "react";
import { fieldOf, type PeriodField, periodsUntil, zoneText } from "../format/time.ts";
import { Button } from "./button.tsx";
import "./field.css";
import "./filters.css";
import "./period-filter.css";

type Values = Readonly<Record<string, unknown>>;

const FilterValues = createContext<Values>({});

function useValue(name: string, type = "text"): string {
  const value = String(use(FilterValues)[name] ?? "");
  return type === "datetime-local" ? fieldOf(value) : value;
}

interface FiltersProps {
  readonly label: string;
  readonly values: Values;
  /** The values of all filters by their names. Empty filters are left out. */
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
  readonly children: ReactNode;
}

const TYPING_MS = 400;

export function Filters({ label, values, onChange, children }: FiltersProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Changes as soon as the user leaves. A late timer would lead back to this screen.
  const { pathname } = useLocation();
  useEffect(() => () => clearTimeout(timer.current), [pathname]);
  const send = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    onChange(valuesOf(form));
  };
  const changed = ({ currentTarget: form, target }: FormEvent<HTMLFormElement>) => {
    clearTimeout(timer.current);
    if (target instanceof HTMLInputElement) timer.current = setTimeout(() => send(form), TYPING_MS);
    else send(form);
  };
  const submitted = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(event.currentTarget);
  };
  return (
    <search>
      <form className="filters" aria-label={label} onChange={changed} onSubmit={submitted}>
        <FilterValues value={values}>{children}</FilterValues>
      </form>
    </search>
  );
}

interface AddressFiltersProps extends Pick<FiltersProps, "label" | "children"> {
  /** True if a change is no step for the Back button. */
  readonly isReplacing?: boolean;
  /** The check of the screen, which drops typed values that it does not take. Without it they stay in the address. */
  readonly check?: (values: Values) => Values;
}

/** Filters that are all of the screen's search parameters. */
export function AddressFilters({ isReplacing = false, check, ...filters }: AddressFiltersProps) {
  const navigate = useNavigate();
  const values: Values = useSearch({ strict: false });
  const change = (typed: Values) => {
    // The type of the screen's parameters is not known here.
    const search = (check?.(typed) ?? typed) as never;
    void navigate({ to: ".", search, replace: isReplacing });
  };
  return <Filters {...filters} values={values} onChange={change} />;
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** Less used filters. They unfold when one is set, and never fold by themselves, because they may have the focus. */
export function MoreFilters({ children }: { readonly children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  const wasSet = useRef(false);
  const values = use(FilterValues);
  useEffect(() => {
    const fields = details.current?.querySelectorAll<HTMLInputElement>("input, select") ?? [];
    const isSet = [...fields].some(({ name }) => values[name] !== undefined);
    if (isSet && !wasSet.current && details.current) details.current.open = true;
    wasSet.current = isSet;
  }, [values]);
  return (
    <details ref={details} className="more-filters">
      <summary>More filters</summary>
      <div>{children}</div>
    </details>
  );
}

interface SelectFilterProps {
  readonly label: string;
  readonly name: string;
  /** The text of the empty option. */
  readonly all?: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
}

/** A value of the address is among the options, even if nothing has it any more. */
export function SelectFilter({ label, name, all = "All", options }: SelectFilterProps) {
  const id = useId();
  const value = useValue(name);
  const select = useRef<HTMLSelectElement>(null);
  const isKnown = value === "" || options.some((option) => option.value === value);
  // The browser's Back button changes the address too.
  useEffect(() => {
    if (select.current) select.current.value = value;
  }, [value]);
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} ref={select} className="input" name={name} defaultValue={value}>
        <option value="">{all}</option>
        {[...options, ...(isKnown ? [] : [{ value, text: value }])].map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface InputFilterProps {
  readonly label: string;
  readonly name: string;
  readonly type?: "text" | "date" | "datetime-local";
  readonly placeholder?: string;
}

export function InputFilter({ label, name, type = "text", placeholder }: InputFilterProps) {
  const id = useId();
  const value = useValue(name, type);
  const input = useRef<HTMLInputElement>(null);
  const typedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    // While somebody types, the address has an older value.
    const isTyping = performance.now() - typedAt.current < TYPING_MS;
    if (input.current && !isTyping && input.current.value.trim() !== value) input.current.value = value;
  }, [value]);
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        ref={input}
        className="input"
        name={name}
        type={type}
        defaultValue={value}
        placeholder={placeholder}
        onInput={() => {
          typedAt.current = performance.now();
        }}
        autoComplete="off"
        spellCheck={false}
      />
    </div>
  );
}

export function PeriodFilter({ type }: { readonly type: PeriodField }) {
  const [from, to] = [useValue("from", type), useValue("to", type)];
  const fields = useRef<HTMLFieldSetElement>(null);
  const now = new Date();
  const choose = (start: string) => {
    const [first, last] = fields.current?.querySelectorAll("input") ?? [];
    if (first === undefined || last === undefined) return;
    first.value = start;
    last.value = "";
    first.form?.requestSubmit();
  };
  return (
    <fieldset ref={fields} className="period">
      <legend className="hidden">Period</legend>
      <InputFilter label="From" name="from" type={type} />
      <InputFilter label="To" name="to" type={type} />
      <div className="period-choice">
        <div className="row">
          {periodsUntil(now, type).map((period) => (
            <Button
              text={period.text}
              key={period.text}
              look="quiet"
              aria-pressed={from === period.from && to === ""}
              onClick={() => choose(period.from)}
            />
          ))}
        </div>
        <p>{zoneText(now)}</p>
      </div>
    </fieldset>
  );
}
