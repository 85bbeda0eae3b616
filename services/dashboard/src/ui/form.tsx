// A native form. If values are not valid, or the platform refuses them, the fields say why, and the focus moves to the first field at
// fault; if there is none, the reason scrolls into view.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Failure } from "../api/failure.ts";
import { FieldProblemsContext, invalidControls, keyOf, NO_PROBLEMS, problemsOf } from "./field-problems.ts";

interface FormProps {
  /** The failure of the last request. */
  readonly failure: Failure | null;
  readonly onSubmit: (values: FormData) => void;
  readonly children: ReactNode;
}

export function Form({ failure, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  useEffect(() => {
    if (failure === null) return;
    const first = form.current?.querySelector<HTMLElement>(":is(input, select, textarea)[aria-invalid]");
    if (first) first.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: "nearest" });
  }, [failure]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const invalid = invalidControls(event.currentTarget);
    setProblems(problemsOf(invalid));
    const [first] = invalid;
    if (first === undefined) return onSubmit(new FormData(event.currentTarget));
    first.focus();
    // Only fields show our own message.
    if (keyOf(first) === "") first.reportValidity();
  };
  // A problem disappears when it is solved, and its message follows the value until then.
  const recheck = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    if (problems.size === 0) return;
    const known = invalidControls(currentTarget).filter((one) => problems.has(keyOf(one)));
    setProblems(problemsOf(known));
  };
  return (
    <form ref={form} className="form" onSubmit={submit} onInput={recheck} onChange={recheck} noValidate>
      <FieldProblemsContext value={problems}>{children}</FieldProblemsContext>
    </form>
  );
}
