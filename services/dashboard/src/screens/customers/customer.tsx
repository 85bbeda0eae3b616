import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Customer() {
  return (
    <Screen title="Customer">
      <Loading />
    </Screen>
  );
}
