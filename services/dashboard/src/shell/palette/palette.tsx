// The search over all screens: finds records (`sources.ts`), opens screens, and starts actions. A combobox in a native dialog, as
// the ARIA Authoring Practices describe it: the focus stays in the field, and the arrows choose.
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { explain, type Failure } from "../../api/failure.ts";
import { holderOf, useMe } from "../../data/me.ts";
import { counted } from "../../format/words.ts";
import { Icon } from "../../ui/icons.tsx";
import { overlay } from "../overlay.ts";
import { commandsFor } from "./commands.ts";
import { type Found, useFound } from "./sources.ts";
import "./palette.css";

interface Option extends Found {
  /** True for a record. Until the search is over, it may be a result for an older text. */
  readonly isFound?: true;
}

export default function Palette() {
  const holder = holderOf(useMe());
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const { found, isSearching, failure } = useFound(text);
  const options: Option[] = [
    ...found.map((one) => ({ ...one, isFound: true as const })),
    ...commandsFor(holder, text),
  ];
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const close = () => overlay.set(null);
  // The event arrives late: if React runs the effect twice, the dialog is open again by then.
  const closed = () => {
    if (!dialog.current?.open) close();
  };
  const choose = ({ href }: Option) => {
    close();
    void navigate({ href });
  };
  return (
    <dialog ref={dialog} className="palette" aria-label="Search" onClose={closed} {...{ closedby: "any" }}>
      <Combobox
        text={text}
        onType={setText}
        options={options}
        isSearching={isSearching}
        onChoose={choose}
        onClose={close}
      />
      <p className="palette-foot" role="status">
        {statusText(options.length, isSearching, failure)}
      </p>
    </dialog>
  );
}

function statusText(count: number, isSearching: boolean, failure: Failure | null): string {
  if (isSearching) return "Searching…";
  if (failure !== null) return explain(failure).title;
  return count === 0 ? "Nothing found" : counted(count, "result");
}

interface ComboboxProps {
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly options: readonly Option[];
  readonly isSearching: boolean;
  readonly onChoose: (option: Option) => void;
  readonly onClose: () => void;
}

function Combobox({ text, onType, options, isSearching, onChoose, onClose }: ComboboxProps) {
  const id = useId();
  // The option that the user has moved to. It stays chosen when further results come before it.
  const [chosen, setChosen] = useState<string | null>(null);
  const [isEntered, setEntered] = useState(false);
  const index = options.findIndex((one) => keyOf(one) === chosen);
  const hasMoved = index >= 0;
  const active = hasMoved ? index : 0;
  const choose = (to: number) => setChosen(keyOf(options[to]));
  const isFilled = options.length > 0;
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  const option = options[active];
  const isCertain = option !== undefined && (hasMoved || !(isSearching && option.isFound));
  const isAwaited = isEntered && !isSearching;
  // Enter may be pressed before the search is over, as after a number that was pasted.
  useEffect(() => {
    if (!isAwaited) return;
    setEntered(false);
    if (option !== undefined) onChoose(option);
  });
  const pressed = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 5, PageUp: active - 5 }[
      event.key
    ];
    const isSearchKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    if (to !== undefined && isFilled) {
      choose(wrapped(to, active, options.length));
    } else if (event.key === "Enter" && isCertain) onChoose(option);
    else if (event.key === "Enter") setEntered(isSearching);
    else if (isSearchKey) onClose();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search orders, customers, screens and actions"
          aria-autocomplete="list"
          aria-expanded={isFilled}
          aria-controls={isFilled ? id : undefined}
          aria-activedescendant={isFilled ? `${id}-${active}` : undefined}
          placeholder="Search, or jump to…"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => {
            onType(currentTarget.value);
            setChosen(null);
            setEntered(false);
          }}
          onKeyDown={pressed}
        />
        <kbd>Esc</kbd>
      </div>
      {isFilled && <Results id={id} options={options} active={active} onPoint={choose} onChoose={onChoose} />}
    </>
  );
}

interface ResultsProps {
  readonly id: string;
  readonly options: readonly Option[];
  readonly active: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (option: Option) => void;
}

function Results({ id, options, active, onPoint, onChoose }: ResultsProps) {
  return (
    <div role="listbox" id={id} aria-label="Results" className="palette-results">
      {groupsOf(options).map(([group, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: these are no fields
        <div key={group} role="group" aria-label={group}>
          <div className="palette-group" aria-hidden="true">
            {group}
          </div>
          {members.map(({ option, index }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              key={index}
              role="option"
              id={`${id}-${index}`}
              aria-selected={index === active}
              tabIndex={-1}
              onPointerMove={() => onPoint(index)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(option)}
            >
              <Icon name={option.icon} />
              <bdi className="palette-name">{option.name}</bdi>
              {option.detail !== undefined && <bdi className="palette-detail">{option.detail}</bdi>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function keyOf(option: Option | undefined): string | null {
  return option === undefined ? null : [option.group, option.name, option.detail].join("\n");
}

/** A step beyond an end goes to the other end; a larger move stops at the end. */
function wrapped(to: number, from: number, count: number): number {
  const isStep = Math.abs(to - from) === 1;
  if (to < 0) return isStep ? count - 1 : 0;
  if (to >= count) return isStep ? 0 : count - 1;
  return to;
}

function groupsOf(options: readonly Option[]) {
  return [
    ...Map.groupBy(
      options.map((option, index) => ({ option, index })),
      ({ option }) => option.group,
    ),
  ];
}
