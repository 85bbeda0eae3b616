// What is wrong with the values of a form before it is sent, by the ids of its fields. The browser checks them; the words are ours.
import { createContext } from "react";

export type FieldProblems = ReadonlyMap<string, string>;

export const NO_PROBLEMS: FieldProblems = new Map();

export const FieldProblemsContext = createContext<FieldProblems>(NO_PROBLEMS);

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function invalidControls(form: HTMLFormElement): Control[] {
  return [...form.elements].filter((element) => isControl(element)).filter((one) => !one.validity.valid);
}

export function problemsOf(controls: readonly Control[]): FieldProblems {
  return new Map(controls.map((control) => [keyOf(control), problemOf(control)] as const).reverse());
}

/** The id of the field or, for a control without one, of the group that shows its problem. Empty if there is neither. */
export function keyOf(control: Control): string {
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

/** The `T` in a local time is for programs. */
function boundText(bound: string): string {
  return bound.replace("T", " ");
}

function isControl(element: Element): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}
