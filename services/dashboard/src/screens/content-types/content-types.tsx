import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function ContentTypes() {
  return (
    <Screen title="ContentTypes">
      <Loading />
    </Screen>
  );
}
