// A button that shows only an icon. Its label is read by screen readers, and shown on hover.
import type { ComponentProps, ReactNode } from "react";
import "./button.css";

interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "title" | "aria-label"> {
  readonly label: string;
  readonly children: ReactNode;
}

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type="button" className="button button-icon" aria-label={label} title={label}>
      {children}
    </button>
  );
}
