import { EventStoreDBClient } from '@eventstore/db-client'
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'

const STORE_KEEP_ALIVE_TIMEOUT_MS = 5_000

/** The part of a gRPC call in both directions that is used here. */
export type BatchAppendCall = {
  write(request: streamsPb.BatchAppendReq): boolean
  cancel(): void
  end(): void
  on(event: 'data', listener: (response: streamsPb.BatchAppendResp) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'drain' | 'end', listener: () => void): void
}

/** What is used of the client beyond its public methods. Its version is fixed in package.json. */
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

/** The client of the store, and the one call that its own appendToStream makes in a way that cannot be used. */
export class StoreClient {
  readonly events: EventStoreDBClient
  readonly #internals: Internals

  constructor(url: string) {
    this.events = connect(url)
    this.#internals = this.events as unknown as Internals
  }

  /** A question that changes nothing: a failure before its answer means that nothing else was sent either. */
  async answers(): Promise<void> {
    const features = await this.#internals.capabilities
    if (!features.supports(streamsGrpc.StreamsService.batchAppend)) {
      throw new Error('the server has no BatchAppend: EventStoreDB 21.10 or newer is needed')
    }
  }

  /**
   * Not by appendToStream: that keeps the pending appends of all clients of the process in one map, so that one client's
   * broken stream rejects them all, and an answer that still comes for one of them throws where nobody can catch it.
   */
  openBatchAppend(): Promise<BatchAppendCall> {
    const open = this.#internals.GRPCStreamCreator(streamsGrpc.StreamsClient, 'appendToStream', (client) =>
      client.batchAppend(...this.#internals.callArguments({}, { deadline: Number.POSITIVE_INFINITY })),
    )
    return open()
  }

  /** New calls go to another client; those that are under way end by themselves. */
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
 * gRPC shares one connection among all clients of the same settings: a new client would get the dead connection that it
 * is to replace, if somebody still holds that. A number of milliseconds of its own in the settings gives each client a
 * connection of its own.
 */
function connect(url: string): EventStoreDBClient {
  const settings = `keepAliveTimeout=${STORE_KEEP_ALIVE_TIMEOUT_MS + (clients++ % 1_000)}`
  const address = /keepAliveTimeout=/i.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}${settings}`
  try {
    return EventStoreDBClient.connectionString(address)
  } catch {
    // What the client says of an address that it cannot read repeats the address, with the password in it.
    throw new Error('the address of the event store is not of the form esdb://[user:password@]host:port[?tls=false]')
  }
}

/** The client for reads: another one when it has met trouble. */
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

  /** One more, with a connection of its own; whoever asks for it retires it. */
  another(): StoreClient {
    return new StoreClient(this.#url)
  }

  /** Many may find out at the same time that one is of no use any more. */
  replace(failed: StoreClient): void {
    if (failed !== this.#current) return
    this.#current = new StoreClient(this.#url)
    failed.retire()
  }

  close(): void {
    this.#current.close()
  }
}
