import { Loading } from "../../ui/loading.tsx";
import { Screen } from "../../ui/screen.tsx";

export function ContentType() {
  return (
    <Screen title="ContentType">
      <Loading />
    </Screen>
  );
}
