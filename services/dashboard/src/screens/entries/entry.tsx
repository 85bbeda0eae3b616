import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Entry() {
  return (
    <Screen title="Entry">
      <Loading />
    </Screen>
  );
}
