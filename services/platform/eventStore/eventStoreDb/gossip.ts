import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js'
import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import type { ChannelCredentials } from '@grpc/grpc-js'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { type NodeAddress, shownAddress } from './connectionString.ts'

/** A node of the cluster as another one describes it. */
export type Member = { readonly node: NodeAddress; readonly isLeader: boolean }

/** A node that works answers within milliseconds. */
const GOSSIP_ANSWER_MS = 500

/** Asks nodes which nodes there are, over one connection to each. */
export class Gossip {
  readonly #credentials: ChannelCredentials
  readonly #clock: Clock
  readonly #clients = new Map<string, gossipGrpc.GossipClient>()

  constructor(credentials: ChannelCredentials, clock: Clock) {
    this.#credentials = credentials
    this.#clock = clock
  }

  /** Throws if the node does not answer in time. */
  async ask(node: NodeAddress): Promise<readonly Member[]> {
    const target = shownAddress(node)
    const client = this.#clientOf(target)
    try {
      return (await within(read(client), GOSSIP_ANSWER_MS, this.#clock)).getMembersList().flatMap(memberOf)
    } catch (error) {
      // A new connection is tried at once, whereas gRPC would wait longer and longer before it reconnects this one.
      if (this.#clients.get(target) === client) this.#clients.delete(target)
      client.close()
      throw error
    }
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
    this.#clients.clear()
  }

  #clientOf(target: string): gossipGrpc.GossipClient {
    const known = this.#clients.get(target)
    if (known) return known
    const client = new gossipGrpc.GossipClient(target, this.#credentials, { 'grpc.use_local_subchannel_pool': 1 })
    this.#clients.set(target, client)
    return client
  }
}

function read(client: gossipGrpc.GossipClient): Promise<gossipPb.ClusterInfo> {
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
