import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function EventTypes() {
  return (
    <Screen title="EventTypes">
      <Loading />
    </Screen>
  );
}
