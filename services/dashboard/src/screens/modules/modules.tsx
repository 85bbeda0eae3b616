// The modules of the platform: what each provides, and whether this shop uses it.
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { holderOf, useMe } from "../../data/me.ts";
import { useChange } from "../../data/use-change.ts";
import { useRead } from "../../data/use-read.ts";
import { isAllowed } from "../../session/roles.ts";
import { Badge } from "../../ui/badge.tsx";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Screen } from "../../ui/screen.tsx";
import { say } from "../../ui/toasts.tsx";
import { ReadView } from "../../ui/views.tsx";
import { DeactivateDialog } from "./deactivate-dialog.tsx";
import { MODULES } from "./module-texts.ts";
import "./modules.css";

type Module = DataOf<"listModules">[number];

export default function Modules() {
  const modules = useRead("listModules");
  const mayChange = isAllowed(holderOf(useMe()), { role: "owner" });
  return (
    <Screen
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
      <BehindTheScreen operation="listModules" />
    </Screen>
  );
}

function ModuleCard({ module, mayChange }: { readonly module: Module; readonly mayChange: boolean }) {
  const { name, active } = module;
  const { title, brings } = MODULES[name];
  const [isAsking, setAsking] = useState(false);
  const change = useChange("setModule", {
    // The navigation depends on the modules, so the user is read again too.
    stale: ["listModules", "getMe"],
    onDone: ({ active: isActive }) => {
      say(`${title}: ${isActive ? "active" : "not active"}.`);
      setAsking(false);
    },
  });
  const set = (isActive: boolean) => change.mutate({ path: { name }, body: { active: isActive } });
  return (
    <li>
      <div>
        <h2>{title}</h2> <Badge tone={active ? "good" : "quiet"}>{active ? "Active" : "Not active"}</Badge>
      </div>
      <p className="soft">{brings}</p>
      {change.error && !isAsking && <ErrorNote failure={change.error} />}
      {mayChange &&
        (active ? (
          <Button onClick={() => setAsking(true)}>
            Deactivate<span className="hidden"> {title}</span>
          </Button>
        ) : (
          <Button look="primary" isBusy={change.isPending} onClick={() => set(true)}>
            Activate<span className="hidden"> {title}</span>
          </Button>
        ))}
      {isAsking && (
        <DeactivateDialog
          module={module}
          change={change}
          onConfirm={() => set(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
