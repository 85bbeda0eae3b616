// Prints something else than the screen: a document that is only on paper.
import { type ReactNode, useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";

interface Printer {
  readonly print: (paper: ReactNode) => void;
  /** What is being printed, which the screen must render. */
  readonly paper: ReactNode;
}

export function usePrinter(): Printer {
  const [paper, setPaper] = useState<ReactNode>(null);
  useEffect(() => {
    const clear = () => setPaper(null);
    addEventListener("afterprint", clear);
    return () => removeEventListener("afterprint", clear);
  }, []);
  return {
    print: (next) => {
      // The browser prints what is there at the call.
      flushSync(() => setPaper(next));
      print();
    },
    paper: paper !== null && createPortal(<div className="paper">{paper}</div>, document.body),
  };
}
