import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Medium() {
  return (
    <Screen title="Medium">
      <Loading />
    </Screen>
  );
}
