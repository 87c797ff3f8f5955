export type ClusterShape = {
  /** The ports of the brokers for clients and of the controllers for each other, starting with node 1. */
  readonly ports: readonly number[]
  readonly controllerPorts: readonly number[]
}

const host = '127.0.0.1'

/** The settings of a broker. Every node is a broker and a voter of the metadata quorum. */
export function settingsOf(
  nodeId: number,
  { ports, controllerPorts }: ClusterShape,
  dataFolder: string,
): Record<string, string> {
  const brokers = `BROKER://${host}:${ports[nodeId - 1]}`
  const copies = Math.min(3, ports.length)
  // One of three copies may be missing; with fewer copies, one in sync is enough.
  const copiesInSync = Math.max(1, copies - 1)
  const numbers = {
    'node.id': nodeId,
    'default.replication.factor': copies,
    'min.insync.replicas': copiesInSync,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': copiesInSync,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': copiesInSync,
    // A group of one consumer need not wait for others to join.
    'group.initial.rebalance.delay.ms': 0,
    'log.retention.hours': 7 * 24,
    'log.segment.bytes': 64 * 1024 * 1024,
    // How long the others wait for a killed broker, and a restarted broker for its old registration to expire.
    'broker.session.timeout.ms': 6_000,
    'broker.heartbeat.interval.ms': 1_000,
    // Three brokers on one laptop: fewer threads, and a tenth of the 128 MB that the cleaner takes from the heap.
    'num.network.threads': 2,
    'num.io.threads': 4,
    'background.threads': 4,
    'group.coordinator.threads': 2,
    'log.cleaner.dedupe.buffer.size': 12 * 1024 * 1024,
  }
  return {
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
    'process.roles': 'broker,controller',
    listeners: `${brokers},CONTROLLER://${host}:${controllerPorts[nodeId - 1]}`,
    'advertised.listeners': brokers,
    'listener.security.protocol.map': 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'BROKER',
    'controller.listener.names': 'CONTROLLER',
    'controller.quorum.voters': controllerPorts.map((port, n) => `${n + 1}@${host}:${port}`).join(','),
    'log.dirs': dataFolder,
    // A topic created by accident would keep the wrong number of partitions.
    'auto.create.topics.enable': 'false',
  }
}

/** Formats Java properties: backslashes are doubled, and characters outside ASCII become Unicode escapes. */
export function asProperties(settings: Readonly<Record<string, string>>): string {
  const escaped = (text: string) =>
    text
      .replaceAll('\\', '\\\\')
      .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${escaped(value)}\n`)
    .join('')
}

export function brokerAddresses(ports: readonly number[]): string {
  return ports.map((port) => `${host}:${port}`).join(',')
}
