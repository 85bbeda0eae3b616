import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Events() {
  return (
    <Screen title="Events">
      <Loading />
    </Screen>
  );
}
