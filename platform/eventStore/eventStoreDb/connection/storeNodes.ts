import type { Clock } from '../../../clock/clock.ts'
import { ClusterLeader } from './clusterLeader.ts'
import type { NodeAddress, StoreAddress } from './connectionString.ts'
import { Gossip } from './gossip.ts'

/** Where requests go: to the only node, or to the leader of a cluster. */
export interface StoreNodes {
  /** Throws StoreUnavailable if no node leads. */
  find(): Promise<NodeAddress>
  /** A request to the node failed. */
  doubt(node: NodeAddress): void
  /** The listener is called when requests start going to another node. */
  onMoved(listener: (node: NodeAddress) => void): void
  close(): void
}

export function storeNodes(address: StoreAddress, clock: Clock): StoreNodes {
  const [only] = address.seeds
  if (!only) throw new Error('the address of the event store has no host')
  return address.isCluster ? clusterNodes(address, clock) : singleNode(only)
}

function singleNode(node: NodeAddress): StoreNodes {
  return { find: async () => node, doubt: () => {}, onMoved: () => {}, close: () => {} }
}

function clusterNodes(address: StoreAddress, clock: Clock): StoreNodes {
  const gossip = new Gossip(address, clock)
  const listeners: ((node: NodeAddress) => void)[] = []
  const leader = new ClusterLeader({
    seeds: address.seeds,
    ask: (node) => gossip.ask(node),
    clock,
    onMoved: (node) => {
      for (const listener of listeners) listener(node)
    },
  })
  return {
    find: () => leader.find(),
    doubt: (node) => leader.doubt(node),
    onMoved: (listener) => listeners.push(listener),
    close: () => {
      leader.close()
      gossip.close()
    },
  }
}
