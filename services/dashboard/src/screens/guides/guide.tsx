// One guide, with the address of the shop and the beginning of one of its keys in the examples.
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { EmptyState } from "../../ui/list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ConnectAnAssistant } from "./connect-an-assistant.tsx";
import { TOPICS, type TopicId } from "./guides.tsx";
import { ReadTheFeed } from "./read-the-feed.tsx";
import { ReceiveWebhooks } from "./receive-webhooks.tsx";
import { UseTheApi } from "./use-the-api.tsx";
import "./guides.css";

const GUIDES: Readonly<Record<TopicId, () => ReactNode>> = {
  "use-the-api": UseTheApi,
  "receive-webhooks": ReceiveWebhooks,
  "read-the-feed": ReadTheFeed,
  "connect-an-assistant": ConnectAnAssistant,
};

export default function Guide() {
  const { guide } = useParams({ from: "/app/guides/$guide" });
  const topic = TOPICS.find(({ id }) => id === guide);
  const intro = <Link to="/guides">All guides</Link>;
  if (topic === undefined)
    return (
      <Screen title="Guide" intro={intro}>
        <EmptyState title="There is no such guide" text="The address may be mistyped." />
      </Screen>
    );
  const Text = GUIDES[topic.id];
  return (
    <Screen title={topic.title} intro={intro}>
      <div className="guide">
        <Text />
      </div>
    </Screen>
  );
}
