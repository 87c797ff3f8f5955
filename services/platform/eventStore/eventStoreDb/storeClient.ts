import { EventStoreDBClient } from '@eventstore/db-client'
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import { Channel } from '@grpc/grpc-js'
import { type NodeAddress, type StoreAddress, shownAddress } from './connectionString.ts'
import type { Pullable } from './pulledStream.ts'

/** The client's own bound: the store accepts larger events from other protocols than gRPC. */
const RECEIVED_MESSAGE_BYTES_MAX = 17 * 1024 * 1024

/** The part of a bidirectional gRPC call that is used here. */
export type BatchAppendCall = {
  write(request: Buffer): boolean
  cancel(): void
  end(): void
  on(event: 'data', listener: (response: Buffer) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'drain' | 'end', listener: () => void): void
}

/** The gRPC client behind the client of the store. */
type StreamsClient = {
  makeBidiStreamRequest(...call: unknown[]): BatchAppendCall
  makeServerStreamRequest(...call: unknown[]): Pullable
}

/** The private members of the client that are used here. Its version is pinned in package.json. */
type Internals = {
  readonly capabilities: Promise<{ supports(method: { readonly path: string }): boolean }>
  GRPCStreamCreator<Call>(service: unknown, name: string, create: (client: StreamsClient) => Call): () => Promise<Call>
  callArguments(options: object, callOptions: object): unknown[]
  createChannel(): Promise<Channel>
  handleError(): Promise<void>
}

export type StoreClientOptions = {
  readonly address: StoreAddress
  readonly findNode: () => Promise<NodeAddress>
  /** Called once, when the client is retired or closed. */
  readonly onGone: (client: StoreClient) => void
}

/**
 * The client of the store with one connection to one node, for as long as both last. After an error it is replaced. The
 * client's own way of reconnecting is switched off: it closes a channel that other requests go on to use, and it leaves
 * the failure of a discovery unhandled, which ends the process.
 */
export class StoreClient {
  readonly events: EventStoreDBClient
  readonly #internals: Internals
  readonly #onGone: (client: StoreClient) => void
  #node: NodeAddress | null = null
  #channel: Channel | null = null
  #isRetired = false

  constructor({ address, findNode, onGone }: StoreClientOptions) {
    const [endpoint] = address.seeds
    if (!endpoint) throw new Error('the address of the event store has no host')
    this.events = new EventStoreDBClient({ endpoint }, { insecure: address.isInsecure }, address.user)
    this.#internals = this.events as unknown as Internals
    this.#internals.handleError = async () => {}
    this.#internals.createChannel = async () => {
      const node = await findNode()
      if (this.#isRetired) throw new Error('the connection was given up')
      this.#node = node
      this.#channel = openChannel(node, address)
      return this.#channel
    }
    this.#onGone = onGone
  }

  /** Null until the first request knows where to go. */
  get node(): NodeAddress | null {
    return this.#node
  }

  /** A request without effect: if it fails, nothing else was sent either. */
  async answers(): Promise<void> {
    const features = await this.#internals.capabilities
    if (!features.supports(streamsGrpc.StreamsService.batchAppend)) {
      throw new Error('the server does not support BatchAppend: EventStoreDB 21.10 or newer is required')
    }
  }

  /**
   * Replaces appendToStream, which keeps the pending appends of all clients of the process in one map: a broken stream
   * of one client rejects them all, and a late result for one of them throws where it cannot be caught. Requests and
   * answers are encoded messages (appendRequest.ts, appendAnswer.ts).
   */
  openBatchAppend(): Promise<BatchAppendCall> {
    const { path } = streamsGrpc.StreamsService.batchAppend
    const open = this.#internals.GRPCStreamCreator(streamsGrpc.StreamsClient, 'appendToStream', (client) => {
      const call = this.#internals.callArguments({}, { deadline: Number.POSITIVE_INFINITY })
      return client.makeBidiStreamRequest(path, asEncoded, asEncoded, ...call)
    })
    return open()
  }

  /**
   * Replaces the reads and subscriptions of the client, which decode every message with the generated classes and pass
   * it through a second stream. The items are the encoded messages (readMessage.ts).
   */
  openRead(request: streamsPb.ReadReq): Promise<Pullable> {
    const { path, requestSerialize } = streamsGrpc.StreamsService.read
    const open = this.#internals.GRPCStreamCreator(streamsGrpc.StreamsClient, 'read', (client) => {
      const call = this.#internals.callArguments({}, { deadline: Number.POSITIVE_INFINITY })
      return client.makeServerStreamRequest(path, requestSerialize, asEncoded, request, ...call)
    })
    return open()
  }

  /** New requests use another client; those that are under way finish. */
  retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    if (this.#channel) closeChannel(this.#channel)
    this.#onGone(this)
  }

  /** Cancels the requests that are under way. */
  close(): void {
    this.events.dispose().catch(() => {})
    this.retire()
  }
}

function asEncoded(bytes: Buffer): Buffer {
  return bytes
}

/** With a connection of its own: gRPC would give a new client the dead connection that it shall replace. */
function openChannel(node: NodeAddress, { channelCredentials, keepAlive }: StoreAddress): Channel {
  const { intervalMs, timeoutMs } = keepAlive
  return new Channel(shownAddress(node), channelCredentials, {
    'grpc.keepalive_time_ms': intervalMs < 0 ? Number.MAX_VALUE : intervalMs,
    'grpc.keepalive_timeout_ms': timeoutMs < 0 ? Number.MAX_VALUE : timeoutMs,
    'grpc.max_receive_message_length': RECEIVED_MESSAGE_BYTES_MAX,
    'grpc.use_local_subchannel_pool': 1,
  })
}

/** The private members of a gRPC channel that are used here. */
type ChannelInternals = {
  readonly internalChannel?: {
    readonly subchannelPool?: {
      readonly pool?: Readonly<Record<string, readonly { readonly subchannel: { continueConnecting: boolean } }[]>>
    }
  }
}

/**
 * A connection that failed is tried once more by gRPC, even after its channel was closed, and then stays open although no
 * client uses it. With a client for every attempt, each outage would leave a dozen of them.
 */
function closeChannel(channel: Channel): void {
  const pool = (channel as unknown as ChannelInternals).internalChannel?.subchannelPool?.pool ?? {}
  for (const { subchannel } of Object.values(pool).flat()) subchannel.continueConnecting = false
  channel.close()
}
