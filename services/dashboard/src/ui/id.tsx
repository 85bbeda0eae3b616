// An id, which a click copies. Lists show only its end, because ids that were made at about the same time begin alike.
import { useCopy } from "./code.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";
import "./id.css";

const END = 8;

interface IdProps {
  readonly id: string;
  /** What the id identifies, for screen readers: `order id`. */
  readonly what?: string;
}

/** Shows the whole id. */
export function CopiedId({ id, what = "id" }: IdProps) {
  return <Copied id={id} what={what} text={id} />;
}

/** Shows the end of the id. */
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
      {outcome === "copied" ? <CheckIcon /> : <CopyIcon />}
      <span className="hidden" aria-live="polite">
        {outcome === "copied" ? "Copied" : outcome === "failed" ? "Select and copy it" : `Copy the ${what}`}
      </span>
    </button>
  );
}
