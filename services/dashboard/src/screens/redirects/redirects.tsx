import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function Redirects() {
  return (
    <Screen title="Redirects">
      <Loading />
    </Screen>
  );
}
