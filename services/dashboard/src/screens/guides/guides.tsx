import { Link } from "@tanstack/react-router";
import { Screen } from "../../ui/screen.tsx";
import { TOPICS } from "./topics.ts";
import "./guides.css";

export default function Guides() {
  return (
    <Screen
      title="Guides"
      intro={
        <>
          Short, and with this shop’s own address in every example. The{" "}
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>{" "}
          describes every request.
        </>
      }
    >
      <ul className="guides">
        {TOPICS.map(({ id, title, text }) => (
          <li key={id}>
            <Link to="/guides/$guide" params={{ guide: id }}>
              <strong>{title}</strong>
            </Link>
            <p className="soft">{text}</p>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
