import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Staff() {
  return (
    <Screen title="Staff">
      <Loading />
    </Screen>
  );
}
