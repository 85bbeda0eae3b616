// The decision of `ops queues --check-upgrade`. Its responses have the fields of RabbitMQ's management API, as 3.10.8 sent them to
// `tests/deploy/check-upgrade.full.test.ts`; versions and names are replaced.
import { describe, expect, test } from "@jest/globals";
import { type BrokerState, checkUpgrade } from "../src/check-upgrade.ts";

const A = "rabbit@a";
const B = "rabbit@b";
const nodeOf = (name: string, version = "4.2.9") => ({
  name,
  running: true,
  applications: [
    { name: "ra", version: "2.17.3" },
    { name: "rabbit", version },
  ],
});
const quorumQueue = {
  ...{ name: "webhooks.events", vhost: "/", type: "quorum" },
  ...{ leader: A as string | null, members: [A, B], online: [A, B] },
};
const flagOf = (name: string, state: string, stability = "stable") => ({ name, state, stability });

const faultsOf = (state: Partial<BrokerState>) =>
  checkUpgrade(
    { queues: [quorumQueue], nodes: [nodeOf(A), nodeOf(B)], flags: [], ...state },
    { machineVersionsChecked: true },
  ).faults;

describe("a broker may get new feature flags", () => {
  test("if every node runs the same version, and every quorum queue has all members", () => {
    expect(faultsOf({})).toEqual([]);
  });

  test("whatever the queues of other types", () => {
    const classic = { ...quorumQueue, type: "classic", leader: null, members: [], online: [] };
    expect(faultsOf({ queues: [classic, { ...classic, type: "stream", members: [B] }] })).toEqual([]);
  });

  test("which are those that are not enabled, without experimental ones", () => {
    const flags = [
      flagOf("quorum_queue", "enabled"),
      flagOf("rabbitmq_4.0.0", "disabled"),
      flagOf("khepri_db", "disabled", "experimental"),
    ];
    const state = { queues: [], nodes: [nodeOf(A)], flags };
    const { faults, disabledFlags } = checkUpgrade(state, { machineVersionsChecked: false });
    // Without a quorum queue there is no machine version to check.
    expect([faults, disabledFlags]).toEqual([[], ["rabbitmq_4.0.0"]]);
  });
});

describe("a broker is refused", () => {
  test("until somebody has checked the machine versions of its quorum queues", () => {
    const state = { queues: [quorumQueue], nodes: [nodeOf(A), nodeOf(B)], flags: [] };
    expect(checkUpgrade(state, { machineVersionsChecked: false }).faults).toEqual([
      "The management API does not show the machine versions that quorum queues run: run the rabbitmqctl command on one node, which fails and names the queues if some are behind. If it succeeds, repeat the check with --machine-versions-checked.",
    ]);
  });

  test("while a node is down", () => {
    expect(faultsOf({ nodes: [nodeOf(A), { name: B, running: false, applications: [] }] })).toEqual([
      "The node rabbit@b is down: start it, so that its members report their version.",
    ]);
  });

  test("while the version of a node or the members of a queue are not known", () => {
    expect(faultsOf({ nodes: [nodeOf(A), { name: B, running: true, applications: [] }] })).toEqual([
      "The version of the node rabbit@b is not known yet: try again in a minute.",
    ]);
    expect(faultsOf({ queues: [{ ...quorumQueue, leader: null, members: [], online: [] }] })).toEqual([
      "The members of the queue webhooks.events (virtual host /) are not known yet: try again in a minute.",
    ]);
  });

  test("while nodes run different versions", () => {
    expect(faultsOf({ nodes: [nodeOf(A), nodeOf(B, "4.1.3")] })).toEqual([
      "The nodes run different versions, rabbit@a 4.2.9 and rabbit@b 4.1.3: upgrade all of them first.",
    ]);
  });

  test("while a queue has a member that is not online", () => {
    expect(faultsOf({ queues: [{ ...quorumQueue, online: [A] }] })).toEqual([
      "The queue webhooks.events (virtual host /) has members that are not online, on rabbit@b, and stays at its machine version until they are: start these nodes.",
    ]);
  });

  test.each([null, ""])("while a queue has no leader (%j)", (leader) => {
    expect(faultsOf({ queues: [{ ...quorumQueue, leader }] })).toEqual([
      "The queue webhooks.events (virtual host /) has no leader, so nobody can upgrade it: start the nodes of its members, rabbit@a and rabbit@b.",
    ]);
  });
});
