// A native form. If values are not valid, or the platform refuses them, the fields say why, and the focus moves to the first field at
// fault; if there is none, the reason scrolls into view. A field is found by the path that the platform's errors name.
import type { ErrorDetail } from "@tradepost/client/operations";
import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type Failure, fieldErrors } from "../api/failure.ts";
import { ErrorNote, Note } from "./note.tsx";
import { TypedText, useText } from "./unsaved.ts";

/** Shows a failure, with the details that no field shows. */
export type Explain = (failure: Failure, details: readonly ErrorDetail[]) => ReactNode;

interface FormProps {
  readonly failure: Failure | null;
  /** Explains failures above the fields, in place of `ErrorNote`; null if a `FormNote` among the fields explains them. */
  readonly explain?: Explain | null | undefined;
  /** The paths of the fields that show a conflict, by its code. */
  readonly conflicts?: Readonly<Record<string, string>> | undefined;
  /** Returns false if nothing is sent. */
  readonly onSubmit: (values: FormData) => unknown;
  /** True for a long form: Enter in a field does not submit it, because it may come too early. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

export function Form({ failure, explain, conflicts, onSubmit, isLong = false, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const faults = useFaultsOf(form, failure, conflicts);
  const unsent = use(TypedText);
  const hasText = useRef(false);
  // An emptied form has no unsaved text.
  useText(() => hasText.current && textsIn(form.current).some((text) => text !== ""));
  useEffect(() => {
    if (faults.failure === null) return;
    if (unsent) unsent.current = hasText.current;
    // A field with a fault must be visible.
    const folded = form.current?.querySelectorAll<HTMLDetailsElement>("details:has([aria-invalid])") ?? [];
    for (const details of folded) details.open = true;
    const first = form.current?.querySelector<HTMLElement>(":is(input, select, textarea)[aria-invalid]");
    if (first) first.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: "nearest" });
  }, [faults, unsent]);
  // The message of a problem changes with the value, and disappears when the problem is solved.
  const recheck = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    if (problems.size === 0) return;
    const known = invalidControls(currentTarget).filter((one) => problems.has(keyOf(one)));
    setProblems(problemsOf(known));
  };
  const typed = (event: FormEvent<HTMLFormElement>) => {
    recheck(event);
    if (!isText(event.target)) return;
    hasText.current = true;
    if (unsent) unsent.current = true;
  };
  const pressed = (event: KeyboardEvent<HTMLFormElement>) => {
    if (isLong && event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const invalid = invalidControls(event.currentTarget);
    setProblems(problemsOf(invalid));
    const [first] = invalid;
    if (first !== undefined) {
      first.focus();
      // A control without a field shows the browser's own message.
      if (keyOf(first) === "") first.reportValidity();
      return;
    }
    const isSent = onSubmit(new FormData(event.currentTarget, submitterOf(event))) !== false;
    // Sent text is not lost, unless it is refused.
    if (isSent && unsent) unsent.current = false;
  };
  return (
    <form
      ref={form}
      className="form"
      onInput={typed}
      onChange={recheck}
      onKeyDown={pressed}
      onSubmit={submit}
      noValidate
    >
      <FormContext value={{ ...faults, problems }}>
        {explain !== null && <FormNote explain={explain} />}
        {children}
      </FormContext>
    </form>
  );
}

/** The pressed button: its name and value are among the values. */
function submitterOf({ nativeEvent }: FormEvent): HTMLElement | null {
  return (nativeEvent as SubmitEvent).submitter;
}

function textsIn(form: HTMLFormElement | null): string[] {
  return [...(form?.elements ?? [])].flatMap((one) => (isText(one) ? one.value : []));
}

const NOT_TEXT: ReadonlySet<string> = new Set(["checkbox", "radio", "file"]);

function isText(target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !NOT_TEXT.has(target.type))
  );
}

/** Moves the focus to a row that was added at the end of a list of fields. */
export function useFocusAdded(list: RefObject<HTMLElement | null>, rowCount: number): void {
  const before = useRef(rowCount);
  useEffect(() => {
    const last = list.current?.lastElementChild;
    if (rowCount > before.current) last?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    before.current = rowCount;
  }, [list, rowCount]);
}

/** The platform's faults: the sentences by the paths of the fields, and the details without a field. */
interface Faults {
  readonly failure: Failure | null;
  /** True for a conflict that a field shows. */
  readonly isAtField: boolean;
  readonly byPath: Readonly<Partial<Record<string, string>>>;
  readonly rest: readonly ErrorDetail[];
}

type FieldProblems = ReadonlyMap<string, string>;

const NO_FAULTS: Faults = { failure: null, isAtField: false, byPath: {}, rest: [] };
const NO_PROBLEMS: FieldProblems = new Map();

const FormContext = createContext<Faults & { readonly problems: FieldProblems }>({
  ...NO_FAULTS,
  problems: NO_PROBLEMS,
});

/** The fields are known only once they are rendered: each has its path as `data-path`. */
function useFaultsOf(
  form: RefObject<HTMLElement | null>,
  failure: Failure | null,
  conflicts: FormProps["conflicts"],
): Faults {
  const [faults, setFaults] = useState(NO_FAULTS);
  const conflict = conflicts?.[failure?.code ?? ""];
  useLayoutEffect(() => {
    if (failure === null) return setFaults(NO_FAULTS);
    const fields = [...(form.current?.querySelectorAll<HTMLElement>("[data-path]") ?? [])];
    const paths = fields.map(({ dataset }) => dataset.path ?? "").sort((a, b) => b.length - a.length);
    const isAtField = conflict !== undefined;
    const details = isAtField ? [{ path: conflict, message: failure.message }] : failure.details;
    const { byField, rest } = fieldErrors(details, paths);
    setFaults({ failure, isAtField, byPath: byField, rest });
  }, [form, failure, conflict]);
  return faults;
}

interface FormPartProps extends ComponentProps<"div"> {
  readonly failure: Failure | null;
}

/** A part of a form with a request of its own, whose faults take precedence over the form's. */
export function FormPart({ failure, children, ...rest }: FormPartProps) {
  const part = useRef<HTMLDivElement>(null);
  const outer = use(FormContext);
  const own = useFaultsOf(part, failure, undefined);
  return (
    <div ref={part} className="form" {...rest}>
      <FormContext value={own.failure === null ? outer : { ...own, problems: outer.problems }}>
        {children}
      </FormContext>
    </div>
  );
}

/** Why the field is at fault: its value is not valid, or the platform refused it. */
export function useFault(path: string | undefined, id = ""): string | undefined {
  const { problems, byPath } = use(FormContext);
  return problems.get(id) ?? (path === undefined ? undefined : byPath[path]);
}

export function FormNote({ explain = errorNote }: { readonly explain?: Explain | undefined }) {
  const { failure, isAtField, rest } = use(FormContext);
  return failure && !isAtField && explain(failure, rest);
}

export function errorNote(failure: Failure, details: readonly ErrorDetail[]) {
  return <ErrorNote failure={failure} details={details} />;
}

export function explaining(code: string, title: string, text: string): Explain {
  return (failure, details) =>
    failure.code === code ? (
      <Note tone="danger" title={title} isAlert text={text} />
    ) : (
      errorNote(failure, details)
    );
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function invalidControls(form: HTMLFormElement): Control[] {
  return [...form.querySelectorAll<Control>(":is(input, select, textarea):invalid")];
}

function problemsOf(controls: readonly Control[]): FieldProblems {
  return new Map(controls.map((control) => [keyOf(control), problemOf(control)] as const).reverse());
}

/** The id of the field or, for a control without one, of the group that shows its problem. Empty if there is neither. */
function keyOf(control: Control): string {
  return control.id || (control.closest("fieldset")?.id ?? "");
}

function problemOf(control: Control): string {
  const { validity, title, type } = control;
  if (validity.customError) return control.validationMessage;
  if (validity.valueMissing) return type === "radio" || type === "checkbox" ? "Choose one." : "Fill this in.";
  if (validity.typeMismatch)
    return type === "email"
      ? "This is not an e-mail address."
      : "This is not an address of the web: https://…";
  if (validity.patternMismatch) return title === "" ? "This has the wrong form." : `${title}.`;
  if (validity.badInput) return type === "number" ? "This is not a number." : "This is not complete.";
  return rangeProblemOf(control) ?? control.validationMessage;
}

function rangeProblemOf(control: Control): string | undefined {
  const { validity } = control;
  if (control instanceof HTMLSelectElement) return undefined;
  if (validity.tooLong) return `At most ${control.maxLength} characters.`;
  if (validity.tooShort) return `At least ${control.minLength} characters.`;
  if (control instanceof HTMLTextAreaElement) return undefined;
  if (validity.rangeUnderflow) return `At least ${boundText(control.min)}.`;
  if (validity.rangeOverflow) return `At most ${boundText(control.max)}.`;
  return undefined;
}

function boundText(bound: string): string {
  return bound.replace("T", " ");
}
