// Text for other programs: shown exactly, and copied with one click.
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";
import "./code.css";

const SHOWN_MS = 2_000;

interface CopyProps {
  readonly text: string;
  /** The copied thing, for screen readers: `the key`. */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyProps) {
  const { outcome, copy } = useCopy(text);
  return (
    <Button look="quiet" onClick={copy}>
      {outcome === "copied" ? <CheckIcon /> : <CopyIcon />}
      <span aria-live="polite">
        {outcome === "copied" ? "Copied" : outcome === "failed" ? "Select and copy it" : "Copy"}
      </span>
      <span className="hidden"> {what}</span>
    </Button>
  );
}

/** Returns a function that copies the text, and the outcome for a moment after it. */
export function useCopy(text: string) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return { outcome, copy: async () => setOutcome((await copied(text)) ? "copied" : "failed") };
}

/** Browsers have a clipboard only over https and on localhost. */
async function copied(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  return (
    (await clipboard?.writeText(text).then(
      () => true,
      () => false,
    )) ?? false
  );
}

/** A block of code with its button. */
export function CodeBlock({ text, what }: CopyProps) {
  return (
    <div className="code">
      {/* A region that scrolls has to be reachable with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
