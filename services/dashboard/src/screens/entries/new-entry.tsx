import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function NewEntry() {
  return (
    <Screen title="NewEntry">
      <Loading />
    </Screen>
  );
}
