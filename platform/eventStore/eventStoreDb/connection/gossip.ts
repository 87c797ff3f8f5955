import gossipPb from '@eventstore/db-client/generated/gossip_pb.js'
import type { Clock } from '../../../clock/clock.ts'
import { within } from '../../../clock/within.ts'
import { type NodeAddress, type StoreAddress, shownAddress } from './connectionString.ts'
import { GrpcConnection } from './grpcConnection.ts'

/** A node of the cluster as another one describes it. */
export type Member = { readonly node: NodeAddress; readonly isLeader: boolean }

/** A node that works answers within milliseconds. */
const GOSSIP_ANSWER_MS = 500
const READ = '/event_store.client.gossip.Gossip/Read'
/** An encoded event_store.client.Empty. */
const EMPTY = Buffer.alloc(0)

/** Asks nodes which nodes there are, over one connection to each. */
export class Gossip {
  readonly #address: StoreAddress
  readonly #clock: Clock
  readonly #connections = new Map<string, GrpcConnection>()

  constructor(address: StoreAddress, clock: Clock) {
    this.#address = address
    this.#clock = clock
  }

  /** Throws if the node does not answer in time. */
  async ask(node: NodeAddress): Promise<readonly Member[]> {
    const target = shownAddress(node)
    const clock = this.#clock
    const connection =
      this.#connections.get(target) ?? new GrpcConnection(node, { ...this.#address, clock, name: 'tollgate gossip' })
    this.#connections.set(target, connection)
    try {
      const info = gossipPb.ClusterInfo.deserializeBinary(
        await within(connection.ask(READ, EMPTY), GOSSIP_ANSWER_MS, clock),
      )
      return info.getMembersList().flatMap(memberOf)
    } catch (error) {
      // It may hang, so the next question opens a new one.
      if (this.#connections.get(target) === connection) this.#connections.delete(target)
      connection.close()
      throw error
    }
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close()
    this.#connections.clear()
  }
}

function memberOf(info: gossipPb.MemberInfo): Member[] {
  const endpoint = info.getHttpEndPoint()
  if (!endpoint) return []
  return [
    {
      node: { address: endpoint.getAddress(), port: endpoint.getPort() },
      isLeader: info.getIsAlive() && info.getState() === gossipPb.MemberInfo.VNodeState.LEADER,
    },
  ]
}
