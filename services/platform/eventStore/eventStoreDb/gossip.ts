import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js'
import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import { type Channel, credentials } from '@grpc/grpc-js'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { type NodeAddress, type StoreAddress, shownAddress } from './connectionString.ts'
import { closeChannel, openChannel } from './storeChannel.ts'

/** A node of the cluster as another one describes it. */
export type Member = { readonly node: NodeAddress; readonly isLeader: boolean }

/** A node that works answers within milliseconds. */
const GOSSIP_ANSWER_MS = 500

/** Asks nodes which nodes there are, over one connection to each. */
export class Gossip {
  readonly #address: StoreAddress
  readonly #clock: Clock
  readonly #channels = new Map<string, Channel>()

  constructor(address: StoreAddress, clock: Clock) {
    this.#address = address
    this.#clock = clock
  }

  /** Throws if the node does not answer in time. */
  async ask(node: NodeAddress): Promise<readonly Member[]> {
    const target = shownAddress(node)
    const channel = this.#channels.get(target) ?? openChannel(node, this.#address)
    this.#channels.set(target, channel)
    try {
      return (await within(read(target, channel), GOSSIP_ANSWER_MS, this.#clock)).getMembersList().flatMap(memberOf)
    } catch (error) {
      // A new connection is tried at once, whereas gRPC would wait longer and longer before it reconnects this one.
      if (this.#channels.get(target) === channel) this.#channels.delete(target)
      closeChannel(channel)
      throw error
    }
  }

  close(): void {
    for (const channel of this.#channels.values()) closeChannel(channel)
    this.#channels.clear()
  }
}

function read(target: string, channel: Channel): Promise<gossipPb.ClusterInfo> {
  // The credentials are those of the channel.
  const client = new gossipGrpc.GossipClient(target, credentials.createInsecure(), { channelOverride: channel })
  return new Promise((resolve, reject) => {
    client.read(new sharedPb.Empty(), (error, info) => (error ? reject(error) : resolve(info)))
  })
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
