// A button that opens a small list of buttons, in a native popover: rarely used actions, or a choice. The list is no ARIA menu, so the
// Tab key moves through it.
import { type MouseEvent, type ReactNode, useId } from "react";
import { Icon } from "./icons.tsx";
import "./button.css";
import "./menu.css";

interface MenuProps {
  readonly label: string;
  readonly icon?: ReactNode;
  /** Shown in place of the icon. */
  readonly text?: string;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export function Menu({ label, icon = <Icon name="more" />, text, isBusy = false, children }: MenuProps) {
  const id = useId();
  return (
    <div className="menu">
      <button
        type="button"
        className={text === undefined ? "button button-icon" : "button button-plain"}
        aria-label={text === undefined ? label : undefined}
        aria-busy={isBusy || undefined}
        title={label}
        popoverTarget={isBusy ? undefined : id}
      >
        {text ?? icon}
      </button>
      <div id={id} popover="auto" className="menu-list">
        {children}
      </div>
    </div>
  );
}

interface MenuItemProps {
  readonly text: string;
  readonly onClick: () => void;
  readonly isChosen?: boolean;
}

export function MenuItem({ text, onClick, isChosen }: MenuItemProps) {
  const choose = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
    onClick();
  };
  return (
    <button type="button" className="menu-item" aria-pressed={isChosen} onClick={choose}>
      {text}
    </button>
  );
}
