// The frame of every screen: its title on the page and in the tab, its purpose, and its main action.
import { type ReactNode, useEffect, useRef } from "react";
import "./screen.css";

interface ScreenProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

// When the page loads, the browser itself sets the focus.
let isFirstScreen = true;

export function Screen({ title, intro, action, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Tradepost`;
  }, [title]);
  useEffect(() => {
    if (!isFirstScreen) heading.current?.focus();
    isFirstScreen = false;
  }, []);
  return (
    <div className="screen">
      <header className="screen-header">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro !== undefined && <p className="screen-intro">{intro}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}
