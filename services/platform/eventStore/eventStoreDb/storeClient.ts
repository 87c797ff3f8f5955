import { EventStoreDBClient } from '@eventstore/db-client'
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'

const STORE_KEEP_ALIVE_TIMEOUT_MS = 5_000

/** The part of a bidirectional gRPC call that is used here. */
export type BatchAppendCall = {
  write(request: streamsPb.BatchAppendReq): boolean
  cancel(): void
  end(): void
  on(event: 'data', listener: (response: streamsPb.BatchAppendResp) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'drain' | 'end', listener: () => void): void
}

/** The private members of the client that are used here. Its version is pinned in package.json. */
type Internals = {
  readonly capabilities: Promise<{ supports(method: { readonly path: string }): boolean }>
  GRPCStreamCreator(
    service: unknown,
    name: string,
    create: (client: { batchAppend(...call: unknown[]): BatchAppendCall }) => BatchAppendCall,
  ): () => Promise<BatchAppendCall>
  callArguments(options: object, callOptions: object): unknown[]
  getChannel(): Promise<{ close(): void }>
}

/** The client of the store, with a batch append of its own in place of the client's appendToStream. */
export class StoreClient {
  readonly events: EventStoreDBClient
  readonly #internals: Internals

  constructor(url: string) {
    this.events = connect(url)
    this.#internals = this.events as unknown as Internals
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
   * of one client rejects them all, and a late result for one of them throws where it cannot be caught.
   */
  openBatchAppend(): Promise<BatchAppendCall> {
    const open = this.#internals.GRPCStreamCreator(streamsGrpc.StreamsClient, 'appendToStream', (client) =>
      client.batchAppend(...this.#internals.callArguments({}, { deadline: Number.POSITIVE_INFINITY })),
    )
    return open()
  }

  /** New calls use another client; those that are under way finish. */
  retire(): void {
    this.#internals.getChannel().then(
      (channel) => channel.close(),
      () => {},
    )
  }

  close(): void {
    this.events.dispose().catch(() => {})
    this.retire()
  }
}

let clients = 0

/**
 * gRPC shares one connection among all clients with the same settings: a new client would get the dead connection that
 * it shall replace, if another client still holds it. A keep-alive time-out that differs by a millisecond gives each
 * client its own connection.
 */
function connect(url: string): EventStoreDBClient {
  const settings = `keepAliveTimeout=${STORE_KEEP_ALIVE_TIMEOUT_MS + (clients++ % 1_000)}`
  const address = /keepAliveTimeout=/i.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}${settings}`
  try {
    return EventStoreDBClient.connectionString(address)
  } catch {
    // The client's own error message repeats the address, with the password in it.
    throw new Error(
      'the address of the event store does not have the form esdb://[user:password@]host:port[?tls=false]',
    )
  }
}

/** The client for reads, which is replaced after an error. */
export class ReadingClient {
  readonly #url: string
  #current: StoreClient

  constructor(url: string) {
    this.#url = url
    this.#current = new StoreClient(url)
  }

  get current(): StoreClient {
    return this.#current
  }

  /** A further client with its own connection. The caller retires it. */
  another(): StoreClient {
    return new StoreClient(this.#url)
  }

  /** Concurrent reads may report the same client. */
  replace(failed: StoreClient): void {
    if (failed !== this.#current) return
    this.#current = new StoreClient(this.#url)
    failed.retire()
  }

  close(): void {
    this.#current.close()
  }
}
