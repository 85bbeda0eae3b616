import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function PlaceOrder() {
  return (
    <Screen title="PlaceOrder">
      <Loading />
    </Screen>
  );
}
