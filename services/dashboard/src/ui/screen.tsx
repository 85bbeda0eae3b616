// The frame of every screen: the way back, its title on the page and in the tab, its purpose, and its actions. Also the facts about
// one thing: names and values, one below the other.
import type { OperationId } from "@tradepost/client/operations";
import { createContext, type ReactNode, use, useEffect, useId, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { curlOf } from "../api/curl.ts";
import type { Input } from "../api/send.ts";
import { holderOf, useMe } from "../data/me.ts";
import { missing, type Needs } from "../session/roles.ts";
import { CodeBlock } from "./code.tsx";
import { Dialog, useOpening } from "./dialog.tsx";
import { Mark } from "./icons.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { Note } from "./note.tsx";
import "./screen.css";
import "./facts.css";

interface ScreenProps {
  readonly title: string;
  /** Another name of the same thing, which people look for. */
  readonly subtitle?: string;
  /** Shown next to the title, such as the amount of an order. */
  readonly figure?: ReactNode;
  readonly intro?: ReactNode;
  /** All actions of the screen, which have this one place. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** The link to the list above a screen, which the shell sets. */
export const WayBack = createContext<ReactNode>(null);

type Place = "actions" | "items" | "tools";

/** The places in the head of the screen, once they are there. */
const HeadContext = createContext<Readonly<Record<Place, HTMLElement | null>> | null>(null);

// When the page loads, the browser itself sets the focus.
let isFirstScreen = true;

export function Screen({ title, subtitle, figure, intro, action, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const [items, setItems] = useState<HTMLElement | null>(null);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const head = useMemo(() => ({ actions, items, tools }), [actions, items, tools]);
  useTitle(title);
  useEffect(() => {
    if (!isFirstScreen) heading.current?.focus();
    isFirstScreen = false;
  }, []);
  return (
    <div className="screen">
      <header className="screen-header">
        {use(WayBack)}
        <div className="screen-title">
          <div className="screen-name">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {figure}
          </div>
          {subtitle !== undefined && <p className="soft">{subtitle}</p>}
          {intro !== undefined && <div className="screen-intro">{intro}</div>}
        </div>
        <div className="screen-actions">
          {action}
          <div ref={setActions} className="row" />
          <div className="row screen-menu">
            <Menu label="More actions">
              <div ref={setItems} />
              <div ref={setTools} />
            </Menu>
          </div>
        </div>
      </header>
      <HeadContext value={head}>{children}</HeadContext>
    </div>
  );
}

/** Puts buttons into the head from inside the screen, because they depend on the data that the screen reads. */
export const ScreenActions = inHead("actions");

export const ScreenMenu = inHead("items");

const ScreenTools = inHead("tools");

function inHead(place: Place) {
  return function InHead({ children }: { readonly children: ReactNode }) {
    const at = use(HeadContext)?.[place];
    return at && createPortal(children, at);
  };
}

interface MenuDialogProps {
  readonly text: string;
  readonly isOffered?: boolean;
  readonly place?: typeof ScreenMenu;
  readonly children: ReactNode;
}

/** A menu item that opens the dialog in `children`. */
export function MenuDialog({ text, isOffered = true, place: Place = ScreenMenu, children }: MenuDialogProps) {
  const { open, opened } = useOpening(children);
  return (
    <>
      <Place>
        {/* Always there, so that the items keep their order. */}
        <div className="menu-place">{isOffered && <MenuItem text={text} onClick={open} />}</div>
      </Place>
      {opened}
    </>
  );
}

interface AloneProps {
  readonly title: string;
  readonly heading?: string;
  readonly intro?: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A page without the navigation. */
export function Alone({ title, heading = title, intro, isWide = false, children }: AloneProps) {
  useTitle(title);
  return (
    <main className="alone">
      <div className={isWide ? "alone-form alone-wide" : "alone-form"}>
        <header>
          <Mark />
          <h1>{heading}</h1>
          {intro !== undefined && <p className="soft">{intro}</p>}
        </header>
        {children}
      </div>
    </main>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tradepost`;
  }, [title]);
}

interface SectionProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, intro, action, children }: SectionProps) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {intro !== undefined && <p className="soft">{intro}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

interface ReadOnlyProps {
  readonly title: string;
  readonly neededRole: Needs["role"];
}

/** Renders nothing for users who have the role. */
export function ReadOnly({ title, neededRole }: ReadOnlyProps) {
  const reason = missing(holderOf(useMe()), { role: neededRole });
  return reason !== undefined && <Note tone="info" title={title} text={reason} />;
}

interface BehindTheScreenProps<Id extends OperationId> {
  readonly operation: Id;
  readonly input?: Input<Id>;
}

export function BehindTheScreen<Id extends OperationId>({ operation, input = {} }: BehindTheScreenProps<Id>) {
  return (
    <MenuDialog text="The request behind this screen" place={ScreenTools}>
      <Dialog title="The request behind this screen" isWide>
        <CodeBlock text={curlOf(operation, input, location.origin)} what="the request as curl" />
        <p className="note-small">
          <code>TRADEPOST_TOKEN</code> is a dashboard token: <code>POST /v1/auth/login</code> responds with
          one. The{" "}
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>{" "}
          describes every request.
        </p>
      </Dialog>
    </MenuDialog>
  );
}

interface FactsProps {
  readonly label: string;
  /** The values by their names. A name without a value is not shown. */
  readonly of: Readonly<Record<string, ReactNode>>;
}

export function Facts({ label, of }: FactsProps) {
  const known = Object.entries(of).filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  );
  return (
    <section className="facts" aria-label={label}>
      <dl className="card">
        {known.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
