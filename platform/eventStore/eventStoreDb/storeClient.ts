import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import type { Clock } from '../../clock/clock.ts'
import type { NodeAddress, StoreAddress } from './connection/connectionString.ts'
import type { GrpcCall } from './connection/grpcCall.ts'
import { GrpcConnection } from './connection/grpcConnection.ts'
import { GRPC_STATUS, GrpcFailure } from './connection/grpcFailure.ts'

const READ = '/event_store.client.streams.Streams/Read'
const BATCH_APPEND = '/event_store.client.streams.Streams/BatchAppend'
const SUPPORTED_METHODS = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods'
/** An encoded event_store.client.Empty. */
const EMPTY = Buffer.alloc(0)

export type StoreClientOptions = {
  readonly address: StoreAddress
  readonly clock: Clock
  readonly findNode: () => Promise<NodeAddress>
  /** Called once, when the client is retired or closed. */
  readonly onGone: (client: StoreClient) => void
}

/** The requests of the store's protocol that are used, over one connection to one node. After an error it is replaced. */
export class StoreClient {
  readonly #options: StoreClientOptions
  #node: NodeAddress | null = null
  #connecting: Promise<GrpcConnection> | null = null
  #connection: GrpcConnection | null = null
  #isRetired = false

  constructor(options: StoreClientOptions) {
    this.#options = options
  }

  /** Null until the first request knows where to go. */
  get node(): NodeAddress | null {
    return this.#node
  }

  /** A request without effect: if it fails, nothing else was sent either. */
  async answers(): Promise<void> {
    if (!(await this.#supportsBatchAppend())) {
      throw new Error('the server does not support BatchAppend: EventStoreDB 21.10 or newer is required')
    }
  }

  /** Requests and answers are encoded messages (appendRequest.ts, appendAnswer.ts). */
  async openBatchAppend(): Promise<GrpcCall> {
    return (await this.#connected()).open(BATCH_APPEND)
  }

  /** A read or a subscription. The items are encoded messages (readMessage.ts). */
  async openRead(request: streamsPb.ReadReq): Promise<GrpcCall> {
    const call = (await this.#connected()).open(READ)
    call.write(Buffer.from(request.serializeBinary()))
    call.end()
    return call
  }

  /** New requests use another client; running ones finish. */
  retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#connection?.retire()
    this.#options.onGone(this)
  }

  /** Cancels the running requests. */
  close(): void {
    this.#connection?.close()
    this.retire()
  }

  #connected(): Promise<GrpcConnection> {
    this.#connecting ??= this.#connect()
    return this.#connecting
  }

  async #connect(): Promise<GrpcConnection> {
    const { address, clock, findNode } = this.#options
    const node = await findNode()
    if (this.#isRetired) throw new Error('the connection was given up')
    this.#node = node
    this.#connection = new GrpcConnection(node, { ...address, clock, name: 'tollgate' })
    return this.#connection
  }

  async #supportsBatchAppend(): Promise<boolean> {
    const connection = await this.#connected()
    try {
      const answer = await connection.ask(SUPPORTED_METHODS, EMPTY)
      return featuresPb.SupportedMethods.deserializeBinary(answer)
        .getMethodsList()
        .some((method) => isBatchAppend(`/${method.getServiceName()}/${method.getMethodName()}`))
    } catch (error) {
      if (error instanceof GrpcFailure && error.code === GRPC_STATUS.unimplemented) return false
      throw error
    }
  }
}

/** The server lists its methods in lower case. */
function isBatchAppend(path: string): boolean {
  return path.toLowerCase() === BATCH_APPEND.toLowerCase()
}
