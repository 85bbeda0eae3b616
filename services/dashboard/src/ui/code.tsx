// Text for other programs, and ids: shown exactly, and copied with one click. Lists show only the end of an id, because ids that were
// made at about the same time begin alike.
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icons.tsx";
import "./code.css";

const SHOWN_MS = 2_000;

const OUTCOMES = { none: "Copy", copied: "Copied", failed: "Select and copy it" };

interface CopyProps {
  readonly text: string;
  /** The copied thing, for screen readers: `the key`. */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyProps) {
  const { outcome, copy } = useCopy(text);
  return (
    <Button look="quiet" icon={outcome === "copied" ? "check" : "copy"} onClick={copy}>
      <span aria-live="polite">{OUTCOMES[outcome ?? "none"]}</span>
      <span className="hidden"> {what}</span>
    </Button>
  );
}

/** Returns a function that copies the text, and the outcome for a moment after it. */
function useCopy(text: string) {
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

const END = 8;

interface IdProps {
  readonly id: string;
  /** What the id identifies, for screen readers: `order id`. */
  readonly what?: string;
}

export function CopiedId({ id, what = "id" }: IdProps) {
  return <Copied id={id} what={what} text={id} />;
}

export function ShortId({ id, what = "id" }: IdProps) {
  return <Copied id={id} what={what} text={endOf(id)} />;
}

/** Shows the end of the id inside of a link, which cannot contain a button. */
export function IdEnd({ id }: { readonly id: string }) {
  return (
    <code className="soft" title={id}>
      {endOf(id)}
    </code>
  );
}

function endOf(id: string): string {
  return `…${id.slice(-END)}`;
}

function Copied({ id, what, text }: Required<IdProps> & { readonly text: string }) {
  const { outcome, copy } = useCopy(id);
  return (
    <button type="button" className="id" title={outcome === "failed" ? id : `Copy ${id}`} onClick={copy}>
      <code>{text}</code>
      <Icon name={outcome === "copied" ? "check" : "copy"} />
      <span className="hidden" aria-live="polite">
        {outcome === null ? `Copy the ${what}` : OUTCOMES[outcome]}
      </span>
    </button>
  );
}

/** An IPv6 address is long, and may wrap. */
export function Address({ ip }: { readonly ip: string | null }) {
  if (ip === null) return <span className="soft">Unknown</span>;
  return (
    <span className="lines">
      <code>{ip}</code>
    </span>
  );
}
