import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function AuditLog() {
  return (
    <Screen title="AuditLog">
      <Loading />
    </Screen>
  );
}
