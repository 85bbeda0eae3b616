// The guides, in the order of the list. Pure.

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
