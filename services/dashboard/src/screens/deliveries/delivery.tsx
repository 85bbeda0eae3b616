import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Delivery() {
  return (
    <Screen title="Delivery">
      <Loading />
    </Screen>
  );
}
