import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Deliveries() {
  return (
    <Screen title="Deliveries">
      <Loading />
    </Screen>
  );
}
