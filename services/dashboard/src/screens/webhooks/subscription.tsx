import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Subscription() {
  return (
    <Screen title="Subscription">
      <Loading />
    </Screen>
  );
}
