// Messaging: how a committed change becomes a message on the broker, and a message becomes work, with nothing lost.
//
// Cast. The **outbox** is a table beside the business rows; a change and its event commit together. The **relay**
// publishes what the outbox holds; what the broker confirmed is kept for some days, and a **replay** publishes it again
// where the broker has lost its data, or a queue. The **publisher** and the **consumer** each
// own one connection, kept alive by `superviseConnection`. The **topology** functions declare the queues; the
// **shared exchanges**, by which services meet, are declared by whoever runs the platform.
//
// Guarantees. An event reaches the exchange at least once if and only if its transaction committed, and the events
// of one aggregate in the order of their commits. A message is acknowledged only after its handler's work is durable.
// Not guaranteed: exactly once. Whoever consumes dedupes by event id.
export { type Consumer, type IncomingMessage, startConsumer, type Verdict } from "./consumer.ts";
export { AUDIT_EXCHANGE, decodeEvent, EVENTS_EXCHANGE, type Event } from "./event.ts";
export { type Cause, type NewOutboxRow, type OutboxTable, outboxRow } from "./outbox.ts";
export { type OutgoingMessage, type Publisher, type PublishOutcome, startPublisher } from "./publisher.ts";
export { type Commits, publishedKeptSince, readCommits } from "./read-commits.ts";
export { type Relay, startRelay } from "./relay.ts";
export { declareFedQueue } from "./replay-requests.ts";
export { checkSharedExchange, keepSharedExchanges, SHARED_EXCHANGES } from "./shared-exchanges.ts";
export { siftQueue } from "./sift-queue.ts";
export { declareKeptQueue, declareRetryQueue, declareWorkQueue, exchangeBefore } from "./topology.ts";
