import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { Icon, type IconName } from "./icons.tsx";
import "./button.css";

interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  /** `primary` once per screen or dialog; `danger` for actions that cannot be undone; `plain` for others, `quiet` in rows. */
  readonly look?: "primary" | "danger" | "plain" | "quiet" | "icon";
  /** While its action is carried out, the button keeps the focus, but does nothing. */
  readonly isBusy?: boolean;
  readonly icon?: IconName;
  /** The label; children are for more than text. */
  readonly text?: string;
  /** The object of the action, for screen readers, where sighted people see it nearby. */
  readonly about?: string;
}

export function Button(props: ButtonProps) {
  const {
    look = "plain",
    isBusy = false,
    icon,
    text,
    about,
    type = "button",
    onClick,
    children,
    ...rest
  } = props;
  return (
    <button
      {...rest}
      type={isBusy ? "button" : type}
      className={`button button-${look}`}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? undefined : onClick}
    >
      {icon && <Icon name={icon} />}
      {text}
      {children}
      {about !== undefined && <span className="hidden"> {about}</span>}
    </button>
  );
}

interface TextLinkProps extends ComponentProps<"a"> {
  readonly text: string;
}

export const TextLink = createLink(({ text, ...props }: TextLinkProps) => (
  <a {...props}>
    <bdi>{text}</bdi>
  </a>
));

interface NameLinkProps extends ComponentProps<"a"> {
  readonly name: string;
}

/** The name that begins a row. */
export const NameLink = createLink(({ name, ...props }: NameLinkProps) => (
  <a {...props}>
    <strong className="clamped">
      <bdi>{name}</bdi>
    </strong>
  </a>
));
