import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useChange } from "../../data/use-change.ts";
import { useRead } from "../../data/use-read.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/change-dialogs.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { Section } from "../../ui/screen.tsx";
import { say } from "../../ui/toasts.tsx";
import { ReadView } from "../../ui/views.tsx";
import "./modules.css";

type Module = DataOf<"listModules">[number];

/** The navigation depends on the modules, so the user is read again too. */
const STALE = ["listModules", "getMe"] as const;

export function Modules() {
  const modules = useRead("listModules");
  const mayChange = useIsAllowed({ role: "owner" });
  return (
    <Section
      title="Modules"
      intro={
        mayChange
          ? "The parts of Tradepost that this shop uses."
          : "The parts of Tradepost that this shop uses. An owner activates them."
      }
    >
      <ReadView read={modules}>
        {(all) => (
          <ul className="modules">
            {all.map((module) => (
              <ModuleCard key={module.name} module={module} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </ReadView>
    </Section>
  );
}

function ModuleCard({ module, mayChange }: { readonly module: Module; readonly mayChange: boolean }) {
  const { name, active } = module;
  const { title, brings, stops } = MODULES[name];
  const [isAsking, setAsking] = useState(false);
  const activate = useChange("setModule", { stale: STALE, onDone: () => say(`${title}: active.`) });
  return (
    <li className="card">
      <div>
        <h3>{title}</h3> <Badge tone={active ? "good" : "quiet"}>{active ? "Active" : "Not active"}</Badge>
      </div>
      <p className="soft">{brings}</p>
      {activate.error && <ErrorNote failure={activate.error} />}
      {mayChange &&
        (active ? (
          <Button text="Deactivate" onClick={() => setAsking(true)} about={title} />
        ) : (
          <Button
            text="Activate"
            look="primary"
            isBusy={activate.isPending}
            onClick={() => activate.mutate({ path: { name }, body: { active: true } })}
            about={title}
          />
        ))}
      {isAsking && (
        <Confirm
          title={`Deactivate “${title}”?`}
          action="Deactivate"
          operation="setModule"
          input={{ path: { name }, body: { active: false } }}
          stale={STALE}
          done={`${title}: not active.`}
          onClose={() => setAsking(false)}
        >
          <p>{stops}</p>
          <p>Nothing is deleted. Everything is there again when an owner activates the module.</p>
        </Confirm>
      )}
    </li>
  );
}

type ModuleName = DataOf<"listModules">[number]["name"];

interface ModuleText {
  readonly title: string;
  readonly brings: string;
  readonly stops: string;
}

const MODULES: Readonly<Record<ModuleName, ModuleText>> = {
  crm: {
    title: "Orders and customers",
    brings:
      "Orders with payments, shipping and refunds, imports of orders, and the customers who place them.",
    stops: "Nobody sees or places orders, and programs that do are refused.",
  },
  content: {
    title: "Content, media and redirects",
    brings:
      "Entries of your own types with drafts and schedules, images and files, and redirects of your site.",
    stops:
      "Nobody sees or changes content, and programs that read it are refused: a site that reads it may stay empty. Entries that are scheduled go live all the same. Webhooks and their log are not shown; deliveries go on.",
  },
};
