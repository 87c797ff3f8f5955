import { EventStoreDBClient } from '@eventstore/db-client'
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import type { Channel } from '@grpc/grpc-js'
import type { NodeAddress, StoreAddress } from './connectionString.ts'
import type { Pullable } from './pulledStream.ts'
import { closeChannel, openChannel } from './storeChannel.ts'

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
