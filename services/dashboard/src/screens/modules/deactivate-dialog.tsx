// Asks before a module is deactivated.
import type { DataOf } from "@tradepost/client/operations";
import type { ComponentProps } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { MODULES } from "./module-texts.ts";

interface DeactivateDialogProps
  extends Pick<ComponentProps<typeof ConfirmDialog>, "change" | "onConfirm" | "onClose"> {
  readonly module: DataOf<"listModules">[number];
}

export function DeactivateDialog({ module: { name }, ...rest }: DeactivateDialogProps) {
  const { title, stops } = MODULES[name];
  return (
    <ConfirmDialog {...rest} title={`Deactivate “${title}”?`} action="Deactivate">
      <p>{stops}</p>
      <p>Nothing is deleted. Everything is there again when an owner activates the module.</p>
    </ConfirmDialog>
  );
}
