import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Modules() {
  return (
    <Screen title="Modules">
      <Loading />
    </Screen>
  );
}
