import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Order() {
  return (
    <Screen title="Order">
      <Loading />
    </Screen>
  );
}
