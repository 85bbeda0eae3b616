import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Account() {
  return (
    <Screen title="Account">
      <Loading />
    </Screen>
  );
}
