import { Link } from "@tanstack/react-router";
import { Screen } from "../ui/screen.tsx";

export function NotFound() {
  return (
    <Screen title="There is no such page" intro="The address may be mistyped, or the page has moved.">
      <p>
        <Link to="/">Go to the overview</Link>
      </p>
    </Screen>
  );
}
