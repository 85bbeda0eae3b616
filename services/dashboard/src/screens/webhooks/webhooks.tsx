import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Webhooks() {
  return (
    <Screen title="Webhooks">
      <Loading />
    </Screen>
  );
}
