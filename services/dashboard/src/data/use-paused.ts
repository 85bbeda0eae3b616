// Waits until somebody has stopped typing, so that a search does not ask for each letter.
import { useEffect, useState } from "react";

const TYPING_MS = 150;

export function usePaused(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
