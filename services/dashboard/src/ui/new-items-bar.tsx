// Says how many items are new in a list, and shows them on request. It lies above the list, so that nothing moves when it appears.
import { useEffect, useRef } from "react";
import type { News } from "../data/use-live-list.ts";
import "./new-items-bar.css";

/** The items of a list in words: `order`, `orders`. */
export interface Nouns {
  readonly one: string;
  readonly many: string;
}

interface NewItemsBarProps {
  readonly news: News;
  readonly nouns: Nouns;
}

export function NewItemsBar({ news: { count, hasMore, show, added }, nouns }: NewItemsBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const isAsked = useRef(false);
  // The button that had the focus is gone.
  useEffect(() => {
    if (!isAsked.current || added.size === 0) return;
    isAsked.current = false;
    bar.current?.scrollIntoView({ block: "nearest" });
    bar.current?.parentElement?.querySelector<HTMLElement>(".row-new :is(a, button)")?.focus();
  }, [added]);
  const ask = () => {
    isAsked.current = true;
    show();
  };
  return (
    <div ref={bar} className="new-items" role="status">
      {count > 0 && (
        <button type="button" className="button button-primary" onClick={ask}>
          {hasMore ? `${count}+` : count} new {count === 1 ? nouns.one : nouns.many}
          <span className="hidden">: show</span>
        </button>
      )}
    </div>
  );
}
