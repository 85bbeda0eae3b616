import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Event() {
  return (
    <Screen title="Event">
      <Loading />
    </Screen>
  );
}
