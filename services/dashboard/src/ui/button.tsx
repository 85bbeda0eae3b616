import type { ComponentProps } from "react";
import "./button.css";

interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  /** One primary button a screen or dialog; `danger` for what cannot be undone; `plain` for the rest, `quiet` in rows. */
  readonly look?: "primary" | "danger" | "plain" | "quiet";
  /** While its action is carried out: it keeps the focus, and does nothing. */
  readonly isBusy?: boolean;
}

export function Button({ look = "plain", isBusy = false, type = "button", onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={isBusy ? "button" : type}
      className={`button button-${look}`}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? undefined : onClick}
    />
  );
}
