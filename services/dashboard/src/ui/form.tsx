// A native form. When the platform refuses it, the focus moves to the first field at fault; if there is none, the reason scrolls
// into view.
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import type { Failure } from "../api/failure.ts";

interface FormProps {
  /** The failure of the last request. */
  readonly failure: Failure | null;
  readonly onSubmit: (values: FormData) => void;
  readonly children: ReactNode;
}

export function Form({ failure, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure === null) return;
    const first = form.current?.querySelector<HTMLElement>(":is(input, select, textarea)[aria-invalid]");
    if (first) first.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: "nearest" });
  }, [failure]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form ref={form} className="form" onSubmit={submit}>
      {children}
    </form>
  );
}
