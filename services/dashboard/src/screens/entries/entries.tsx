import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Entries() {
  return (
    <Screen title="Entries">
      <Loading />
    </Screen>
  );
}
