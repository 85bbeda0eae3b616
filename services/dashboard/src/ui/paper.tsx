// Prints a document that is not shown on the screen.
import { type ReactNode, useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";

interface Printer {
  readonly print: (paper: ReactNode) => void;
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
      // The browser prints the page as it is at the call.
      flushSync(() => setPaper(next));
      print();
    },
    paper: paper !== null && createPortal(<div className="paper">{paper}</div>, document.body),
  };
}
