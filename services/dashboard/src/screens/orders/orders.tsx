import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Orders() {
  return (
    <Screen title="Orders">
      <Loading />
    </Screen>
  );
}
