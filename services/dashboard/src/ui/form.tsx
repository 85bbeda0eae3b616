// A native form. If values are not valid, or the platform refuses them, the fields say why, and the focus moves to the first field at
// fault; if there is none, the reason scrolls into view.
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from "react";
import type { Failure } from "../api/failure.ts";
import { FieldProblemsContext, invalidControls, keyOf, NO_PROBLEMS, problemsOf } from "./field-problems.ts";
import { TypedText, useText } from "./unsaved.ts";

interface FormProps {
  readonly failure: Failure | null;
  /** Returns false if nothing is sent. */
  readonly onSubmit: (values: FormData) => unknown;
  /** True for a long form: Enter in a field does not submit it, because it may come too early. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

export function Form({ failure, onSubmit, isLong = false, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const unsent = use(TypedText);
  const hasText = useRef(false);
  // A form that was sent and emptied has none.
  useText(() => hasText.current && textsIn(form.current).some((text) => text !== ""));
  useEffect(() => {
    if (failure === null) return;
    if (unsent) unsent.current = hasText.current;
    const first = form.current?.querySelector<HTMLElement>(":is(input, select, textarea)[aria-invalid]");
    if (first) first.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: "nearest" });
  }, [failure, unsent]);
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
      // Only fields show our own message.
      if (keyOf(first) === "") first.reportValidity();
      return;
    }
    const isSent = onSubmit(new FormData(event.currentTarget, submitterOf(event))) !== false;
    // What is sent is not lost, unless it is refused.
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
      <FieldProblemsContext value={problems}>{children}</FieldProblemsContext>
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
