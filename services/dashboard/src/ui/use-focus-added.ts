// Moves the focus to a row that was added at the end of a list of fields.
import { type RefObject, useEffect, useRef } from "react";

export function useFocusAdded(list: RefObject<HTMLElement | null>, rowCount: number): void {
  const before = useRef(rowCount);
  useEffect(() => {
    const last = list.current?.lastElementChild;
    if (rowCount > before.current) last?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    before.current = rowCount;
  }, [list, rowCount]);
}
