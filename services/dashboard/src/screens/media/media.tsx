import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Media() {
  return (
    <Screen title="Media">
      <Loading />
    </Screen>
  );
}
