import { holderOf, useMe } from "../../data/me.ts";
import { isAllowed } from "../../session/roles.ts";
import { useStore } from "../../session/use-store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { AREAS } from "../areas.ts";
import { overlay, SEARCH_KEYS, singleKeys } from "../overlay.ts";
import "./shortcuts-page.css";

interface ShownShortcut {
  readonly keys: readonly string[];
  readonly text: string;
}

const EVERYWHERE: readonly ShownShortcut[] = [
  { keys: SEARCH_KEYS, text: "Search, and start actions" },
  { keys: ["/"], text: "Search" },
  { keys: ["?"], text: "Show these shortcuts" },
];
const IN_LISTS: readonly ShownShortcut[] = [
  { keys: ["j"], text: "Next row" },
  { keys: ["k"], text: "Previous row" },
  { keys: ["Enter"], text: "Open the row" },
];

export default function ShortcutsPage() {
  const holder = holderOf(useMe());
  const hasSingleKeys = useStore(singleKeys) === "on";
  const close = () => overlay.set(null);
  const areas = AREAS.filter(({ needs }) => isAllowed(holder, needs));
  return (
    <Dialog title="Keyboard shortcuts" isWide onClose={close}>
      <div className="shortcuts">
        <Shortcuts title="Everywhere" shortcuts={EVERYWHERE} />
        <Shortcuts title="In lists" shortcuts={IN_LISTS} />
        <Shortcuts
          title="Go to"
          shortcuts={areas.map(({ key, name }) => ({ keys: ["g", key], text: name }))}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={hasSingleKeys}
          onChange={({ currentTarget }) => singleKeys.choose(currentTarget.checked ? "on" : "off")}
        />
        Use shortcuts of single keys. Turn them off if you dictate.
      </label>
      <DialogActions>
        <Button text="Close" onClick={close} />
      </DialogActions>
    </Dialog>
  );
}

function Shortcuts({
  title,
  shortcuts,
}: {
  readonly title: string;
  readonly shortcuts: readonly ShownShortcut[];
}) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, text }) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
