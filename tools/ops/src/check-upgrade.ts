// `ops queues --check-upgrade`: whether the broker may get new feature flags. Enabling `rabbitmq_4.0.0` while a quorum queue still runs
// an older machine version ends the queue for good, and the broker confirms messages to it that it drops (rabbitmq-server issue 17504).
//
// A queue moves to the version of the new release once every member has reported that it knows it. The management API shows the
// members and the nodes, but not the version that a queue runs: `quorum_status` shows the version that the node's program knows. So
// this finds the reasons why a queue stays behind, and MACHINE_VERSIONS_COMMAND, on a node, finds the queues that did. The command needs
// the broker's Erlang cookie, which operators' commands do not have: the operator runs it, and says so.
import { z } from "zod";
import { askManagement } from "./management.ts";

/** Fails, naming each queue, its node and its version, unless every member of every quorum queue runs the newest version. */
export const MACHINE_VERSIONS_COMMAND = `rabbitmqctl eval '[] = [{rabbit_misc:rs(amqqueue:get_name(Q)), N, V} || Q <- rabbit_amqqueue:list(), amqqueue:get_type(Q) =:= rabbit_quorum_queue, {Name, _} <- [amqqueue:get_pid(Q)], [{members, Ns}] <- [rabbit_quorum_queue:info(Q, [members])], N <- Ns, V <- [case catch ra:member_overview({Name, N}) of {ok, #{effective_machine_version := E}, _} -> E; _ -> unknown end], V =/= rabbit_fifo:version()].'`;

const queueList = z.array(
  z.object({
    name: z.string(),
    vhost: z.string(),
    type: z.string().default("classic"),
    leader: z.string().nullable().default(null),
    members: z.array(z.string()).default([]),
    online: z.array(z.string()).default([]),
  }),
);
const nodeList = z.array(
  z.object({
    name: z.string(),
    running: z.boolean(),
    // None while the node is down, and for seconds after its start.
    applications: z.array(z.object({ name: z.string(), version: z.string() })).default([]),
  }),
);
const flagList = z.array(z.object({ name: z.string(), state: z.string(), stability: z.string() }));

export interface BrokerState {
  readonly queues: z.output<typeof queueList>;
  readonly nodes: z.output<typeof nodeList>;
  readonly flags: z.output<typeof flagList>;
}

/** Reads the queues of all virtual hosts, because a feature flag is the broker's. */
export async function readBrokerState(managementUrl: string): Promise<BrokerState> {
  return {
    queues: queueList.parse(await askManagement(managementUrl, "/queues")),
    nodes: nodeList.parse(await askManagement(managementUrl, "/nodes")),
    flags: flagList.parse(await askManagement(managementUrl, "/feature-flags")),
  };
}

export interface UpgradeCheck {
  /** Sentences that name a node or a queue, and what to do. */
  readonly faults: readonly string[];
  /** What `rabbitmqctl enable_feature_flag all` would enable. */
  readonly disabledFlags: readonly string[];
}

/** `machineVersionsChecked` says that MACHINE_VERSIONS_COMMAND has succeeded. */
export function checkUpgrade(
  { queues, nodes, flags }: BrokerState,
  { machineVersionsChecked }: { readonly machineVersionsChecked: boolean },
): UpgradeCheck {
  const quorumQueues = queues.filter(({ type }) => type === "quorum");
  return {
    faults: [
      ...nodeFaults(nodes),
      ...quorumQueues.flatMap(queueFaults),
      ...(quorumQueues.length === 0 || machineVersionsChecked ? [] : [MACHINE_VERSIONS_UNKNOWN]),
    ],
    disabledFlags: flags
      .filter(({ state, stability }) => state !== "enabled" && stability !== "experimental")
      .map(({ name }) => name),
  };
}

const MACHINE_VERSIONS_UNKNOWN =
  "The management API does not show the machine versions that quorum queues run: run the rabbitmqctl command on one node, which fails and names the queues if some are behind. If it succeeds, repeat the check with --machine-versions-checked.";

function nodeFaults(nodes: BrokerState["nodes"]): string[] {
  const versions = nodes.flatMap(({ name, applications }) =>
    applications
      .filter((application) => application.name === "rabbit")
      .map(({ version }) => ({ name, version })),
  );
  const differ = new Set(versions.map(({ version }) => version)).size > 1;
  return [
    ...nodes
      .filter(({ running }) => !running)
      .map(({ name }) => `The node ${name} is down: start it, so that its members report their version.`),
    ...nodes
      .filter(({ name, running }) => running && !versions.some((one) => one.name === name))
      .map(({ name }) => `The version of the node ${name} is not known yet: try again in a minute.`),
    ...(differ
      ? [
          `The nodes run different versions, ${versions.map(({ name, version }) => `${name} ${version}`).join(" and ")}: upgrade all of them first.`,
        ]
      : []),
  ];
}

function queueFaults({ name, vhost, leader, members, online }: BrokerState["queues"][number]): string[] {
  const queue = `queue ${name} (virtual host ${vhost})`;
  const offline = members.filter((member) => !online.includes(member));
  if (members.length === 0) return [`The members of the ${queue} are not known yet: try again in a minute.`];
  return [
    ...(offline.length > 0
      ? [
          `The ${queue} has members that are not online, on ${offline.join(" and ")}, and stays at its machine version until they are: start these nodes.`,
        ]
      : []),
    ...(leader === null || leader === ""
      ? [
          `The ${queue} has no leader, so nobody can upgrade it: start the nodes of its members, ${members.join(" and ")}.`,
        ]
      : []),
  ];
}
