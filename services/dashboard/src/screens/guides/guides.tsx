import { Link } from "@tanstack/react-router";
import { Screen } from "../../ui/screen.tsx";
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
          <li key={id} className="card">
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

export const TOPICS = [
  {
    id: "use-the-api",
    title: "Use the API",
    text: "A first request, a client for Node, and what every program should do.",
  },
  {
    id: "receive-webhooks",
    title: "Receive webhooks",
    text: "A receiver that verifies signatures, in seven versions to copy.",
  },
  {
    id: "read-the-feed",
    title: "Read the feed",
    text: "Every change of orders, customers and content, in order and without gaps.",
  },
  {
    id: "connect-an-assistant",
    title: "Connect an assistant",
    text: "Claude, Cursor, Visual Studio Code and others, with a key of their own.",
  },
] as const;

export type TopicId = (typeof TOPICS)[number]["id"];
