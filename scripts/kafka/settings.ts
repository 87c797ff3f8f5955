export type ClusterShape = {
  /** Where clients reach each broker, and each controller its fellows; the first is of node 1. */
  readonly ports: readonly number[]
  readonly controllerPorts: readonly number[]
}

const host = '127.0.0.1'

/** What a broker is started with: every node is a broker and a voter of the quorum that keeps the metadata. */
export function settingsOf(
  nodeId: number,
  { ports, controllerPorts }: ClusterShape,
  dataFolder: string,
): Record<string, string> {
  const brokers = `BROKER://${host}:${ports[nodeId - 1]}`
  const copies = Math.min(3, ports.length)
  // Of three copies one may be missing; of fewer each is needed only if it is the last.
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
    // A group of one consumer need not wait for others that might come.
    'group.initial.rebalance.delay.ms': 0,
    'log.retention.hours': 7 * 24,
    'log.segment.bytes': 64 * 1024 * 1024,
    // How long the others wait for a broker that was killed, and it for its own place when it comes back.
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
    // A topic that comes into being by a slip would have the wrong number of partitions for good.
    'auto.create.topics.enable': 'false',
  }
}

/** As Java reads them: a backslash escapes, and what is not ASCII is given by its number. */
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
