// A labelled control with its hint and its error, which screen readers read with it.
import { type ComponentProps, type ReactNode, useId } from "react";
import { countries, countryName, currencies } from "../format/codes.ts";
import { useFault } from "./form.tsx";
import "./field.css";

interface ControlProps {
  readonly id: string;
  readonly "data-path": string | undefined;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The path of the field in the platform's errors; by default the name of its control. */
  readonly path?: string | undefined;
  /** A fault that the form does not know. */
  readonly error?: string | undefined;
  /** Renders the input, select or textarea with the given attributes. */
  readonly children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hint, path, error, children }: FieldProps) {
  const id = useId();
  const problem = useFault(path, id) ?? error;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "data-path": path, ...described(id, hint, problem) })}
      <Notes id={id} hint={hint} error={problem} />
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, "children">, Omit<ComponentProps<"input">, "children"> {}

/** A field with an input, which browsers do not fill in. */
export function TextField({ label, hint, path, error, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} path={path ?? input.name} error={error}>
      {(control) => <input className="input" autoComplete="off" {...input} {...control} />}
    </Field>
  );
}

interface AreaFieldProps extends Omit<FieldProps, "children">, Omit<ComponentProps<"textarea">, "children"> {}

export function AreaField({ label, hint, path, error, ...area }: AreaFieldProps) {
  return (
    <Field label={label} hint={hint} path={path ?? area.name} error={error}>
      {(control) => <textarea className="input" {...area} {...control} />}
    </Field>
  );
}

interface SelectFieldProps extends Omit<FieldProps, "children">, Omit<ComponentProps<"select">, "children"> {
  readonly options: readonly { readonly value: string | number; readonly text: string }[];
}

export function SelectField({ label, hint, path, error, options, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} path={path ?? select.name} error={error}>
      {(control) => (
        <select className="input" {...select} {...control}>
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface FieldGroupProps extends Omit<FieldProps, "children"> {
  readonly children: ReactNode;
}

/** Several checkboxes or radio buttons under one label. */
export function FieldGroup({ label, hint, path, error, children }: FieldGroupProps) {
  const id = useId();
  const problem = useFault(path, id) ?? error;
  return (
    <fieldset id={id} className="field" data-path={path} {...described(id, hint, problem)}>
      <legend>{label}</legend>
      {children}
      <Notes id={id} hint={hint} error={problem} />
    </fieldset>
  );
}

interface ChoiceFieldProps extends Pick<FieldProps, "label" | "hint"> {
  readonly type: "radio" | "checkbox";
  readonly name: string;
  readonly options: readonly Choice[];
  readonly isRequired?: boolean;
}

interface Choice {
  readonly value: string | number;
  readonly text: ReactNode;
  readonly hint?: ReactNode;
  readonly isChosen?: boolean;
}

export function ChoiceField(props: ChoiceFieldProps) {
  const { label, hint, type, name, options, isRequired } = props;
  return (
    <FieldGroup label={label} hint={hint} path={name}>
      <div className="choices">
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input
              type={type}
              name={name}
              value={option.value}
              defaultChecked={option.isChosen}
              required={isRequired}
            />
            <span>{option.text}</span>
            {option.hint !== undefined && <small>{option.hint}</small>}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

function Notes({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  return (
    <>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

function described(id: string, hint: ReactNode, error: string | undefined) {
  const ids = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return {
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
    "aria-invalid": error !== undefined || undefined,
  } as const;
}

type SelectProps = Omit<ComponentProps<typeof SelectField>, "options">;

export function CurrencyField(props: SelectProps) {
  const options = currencies().map(({ code, name }) => ({ value: code, text: `${code} · ${name}` }));
  return <SelectField {...props} options={options} />;
}

const OVERLAPS = [
  { value: 1, text: "For an hour" },
  { value: 24, text: "For a day" },
  { value: 72, text: "For three days" },
  { value: 168, text: "For a week" },
] as const;
const DEFAULT_HOURS = 24;

export function OverlapField({ none, ...props }: SelectProps & { readonly none: string }) {
  const options = [{ value: 0, text: none }, ...OVERLAPS];
  return <SelectField {...props} name="overlapHours" options={options} defaultValue={DEFAULT_HOURS} />;
}

/** `defaultValue` may be any text that a program has written. */
export function CountryField({
  defaultValue = "",
  ...props
}: SelectProps & { readonly defaultValue?: string }) {
  const isListed = defaultValue === "" || countryName(defaultValue) !== undefined;
  const options = [
    { value: "", text: "None" },
    ...(isListed ? [] : [{ value: defaultValue, text: defaultValue }]),
    ...countries().map(({ code, name }) => ({ value: code, text: name })),
  ];
  return <SelectField {...props} defaultValue={defaultValue} options={options} />;
}
