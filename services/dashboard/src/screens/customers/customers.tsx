import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Customers() {
  return (
    <Screen title="Customers">
      <Loading />
    </Screen>
  );
}
