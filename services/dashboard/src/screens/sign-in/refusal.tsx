// Why a sign-in was refused, and how long a limit lasts.
import { useEffect, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Note } from "../../ui/note.tsx";
import { Countdown } from "../../ui/time.tsx";

const UNAUTHORIZED = 401;
const TOO_MANY = 429;

/** Whether the next attempt has to wait. */
export function isLimited(failure: Failure | null): boolean {
  return failure?.status === TOO_MANY;
}

interface RefusalProps {
  readonly failure: Failure;
  /** What to do after a 401. */
  readonly advice: string;
  /** Called when the limit is over. */
  readonly onOver: () => void;
}

export function Refusal({ failure, advice, onOver }: RefusalProps) {
  if (isLimited(failure)) return <Limited seconds={failure.retryAfterSeconds ?? 0} onOver={onOver} />;
  if (failure.status !== UNAUTHORIZED) return <ErrorNote failure={failure} />;
  return (
    <Note tone="danger" title={failure.message} isAlert>
      <p>{advice}</p>
    </Note>
  );
}

function Limited({ seconds, onOver }: { readonly seconds: number; readonly onOver: () => void }) {
  const [until] = useState(() => Date.now() + seconds * 1_000);
  useEffect(() => {
    const timer = setTimeout(onOver, until - Date.now());
    return () => clearTimeout(timer);
  }, [until, onOver]);
  return (
    <Note tone="warning" title="Too many attempts" isAlert>
      <p>
        You can try again in <Countdown until={until} />
      </p>
    </Note>
  );
}
