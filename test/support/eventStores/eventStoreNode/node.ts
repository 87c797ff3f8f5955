import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js'
import { type Append, type AppendOutcome, append, batchAppend } from './appending.ts'
import { CommittedEvents, checkCommit } from './commitCheck.ts'
import { addDiscovery } from './discovery.ts'
import { EventLog, type LoggedEvent } from './eventLog.ts'
import { Faults } from './faults.ts'
import { read } from './reading.ts'

export type NodeOptions = {
  /** 0: any free port. */
  readonly port?: number
  /** The file of the events; without it they are lost with the process. */
  readonly file?: string
  /** How long it takes to index an append. Meanwhile repetitions are dropped and answered with a timeout. */
  readonly indexMs?: number
  /** Configuration/ClusterVNodeOptions.cs, PrepareTimeoutMs. */
  readonly prepareTimeoutMs?: number
  /** Configuration/ClusterVNodeOptions.cs, MaxAppendSize. */
  readonly appendBytesMax?: number
}

const HOST = '127.0.0.1'
const AWAY_MS = 150
const PREPARE_TIMEOUT_MS = 2_000

/**
 * A small fake of EventStoreDB, for tests that need a fault at an exact moment (faults.ts). It
 * follows the server's source (github.com/EventStore/EventStore, v24.10.0, paths under src/EventStore.Core);
 * test/engines/eventStoreNodeLikeServer.test.ts compares it with a real server.
 */
export class EventStoreNode {
  readonly faults = new Faults()
  /** New events are stored but not sent to subscriptions. */
  muteSubscriptions = false
  /** How many of the newest events subscriptions lag behind reads, as on a busy server. */
  subscriptionsBehind = 0
  /** Reads other than subscriptions get no answer, as from an overloaded server. */
  muteReads = false
  /** How many events were sent to readers, how many reads were left without an answer, and how many subscriptions are open. */
  eventsSent = 0
  readsUnanswered = 0
  subscriptions = 0
  readonly #options: NodeOptions
  readonly #connections = new Set<net.Socket>()
  /** Streams and ids of events that are stored and not indexed yet. */
  readonly #unindexed = new Set<string>()
  #log: EventLog
  #committed = new CommittedEvents()
  #grpc: Server | null = null
  #listener: net.Server | null = null
  #port: number
  #restarting: Promise<void> | null = null

  private constructor(options: NodeOptions) {
    this.#options = options
    this.#port = options.port ?? 0
    this.#log = new EventLog(options.file ?? null)
  }

  static async start(options: NodeOptions = {}): Promise<EventStoreNode> {
    const node = new EventStoreNode(options)
    await node.#listen()
    return node
  }

  get url(): string {
    return `esdb://${HOST}:${this.#port}?tls=false`
  }

  get appendBytesMax(): number {
    return this.#options.appendBytesMax ?? 1024 * 1024
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Everything that is stored, in order. */
  get events(): readonly LoggedEvent[] {
    return this.#log.all
  }

  dropConnections(): void {
    for (const socket of this.#connections) socket.destroy()
  }

  /** The server writes its own figures into $all every now and then (Services/Monitoring/MonitoringService.cs). */
  writeSystemEvent(): void {
    const event = {
      id: randomUUID(),
      type: '$statsCollected',
      isJson: true,
      data: Buffer.from('{}'),
      metadata: Buffer.alloc(0),
    }
    this.#log.append(`$stats-${HOST}:${this.#port}`, [event])
  }

  /** Restarts on the same port with the file's events, but without the remembered event ids. */
  restart(awayMs: number = AWAY_MS): Promise<void> {
    this.#restarting ??= (async () => {
      await this.#closeListener()
      await delay(awayMs)
      this.#committed = new CommittedEvents()
      if (this.#options.file !== undefined) {
        this.#log.close()
        this.#log = new EventLog(this.#options.file)
      }
      await this.#listen()
      this.#restarting = null
    })()
    return this.#restarting
  }

  async stop(): Promise<void> {
    await this.#restarting
    await this.#closeListener()
    this.#log.close()
  }

  append(append: Append, answer: (outcome: AppendOutcome) => void): void {
    const fault = this.faults.next()
    if (fault === 'dropBefore') this.dropConnections()
    if (fault === 'restartBefore') void this.restart()
    if (fault === 'neverAnswer' || fault === 'dropBefore' || fault === 'restartBefore') return
    if (fault === 'holdAppend') return void this.faults.held.push(() => answer(this.#store(append)))
    const keys = append.events.map(({ id }) => `${append.stream} ${id}`)
    if (keys.some((key) => this.#unindexed.has(key))) {
      // Services/Storage/StorageWriterService.cs, ActOnCommitCheckFailure, IdempotentNotReady.
      const timeoutMs = this.#options.prepareTimeoutMs ?? PREPARE_TIMEOUT_MS
      return void delay(timeoutMs).then(() => answer({ kind: 'late' }))
    }
    const outcome = this.#store(append)
    if (fault === null) void this.#index(outcome, keys).then(() => answer(outcome))
    if (fault === 'holdAck') this.faults.held.push(() => answer(outcome))
    if (fault === 'dropAfter') this.dropConnections()
    if (fault === 'restartAfter') void this.restart()
  }

  async #index({ kind }: AppendOutcome, keys: readonly string[]): Promise<void> {
    const { indexMs = 0 } = this.#options
    if (kind !== 'stored' || indexMs === 0) return
    for (const key of keys) this.#unindexed.add(key)
    await delay(indexMs)
    for (const key of keys) this.#unindexed.delete(key)
  }

  /** Services/Storage/StorageWriterService.cs, Handle(WritePrepares). */
  #store({ stream, expected, events, deadlineMs }: Append): AppendOutcome {
    if (Date.now() > deadlineMs) return { kind: 'late' }
    const committed = this.faults.forgetsIds ? { find: () => undefined } : this.#committed
    const decision = checkCommit(
      this.#log,
      committed,
      stream,
      expected,
      events.map((event) => event.id),
    )
    if (decision.kind === 'wrongRevision') return decision
    if (decision.kind === 'store') this.#log.append(stream, events)
    const lastRevision = decision.kind === 'store' ? this.#log.lastRevision(stream) : decision.lastRevision
    const stored = this.#log.stream(stream)
    if (decision.kind === 'store') {
      for (const { id, revision } of stored.slice(-events.length)) this.#committed.remember(id, { stream, revision })
    }
    const last = stored[lastRevision]
    if (!last) throw new Error(`stream ${stream} has no revision ${lastRevision}`)
    return { kind: 'stored', last }
  }

  async #listen(): Promise<void> {
    const grpc = new Server()
    grpc.addService(streamsGrpc.StreamsService as unknown as ServiceDefinition, {
      append: (call: Parameters<typeof append>[1], answer: Parameters<typeof append>[2]) => append(this, call, answer),
      batchAppend: (call: Parameters<typeof batchAppend>[1]) => batchAppend(this, call),
      read: (call: Parameters<typeof read>[1]) => {
        const isSubscription = call.request.getOptions()?.hasSubscription() ?? false
        if (isSubscription) {
          this.subscriptions++
          call.once('close', () => this.subscriptions--)
        }
        if (!(isSubscription ? this.muteSubscriptions : this.muteReads)) {
          void read(this.#log, call, { onEventSent: () => this.eventsSent++, behind: () => this.subscriptionsBehind })
        } else if (!isSubscription) this.readsUnanswered++
      },
    })
    addDiscovery(grpc, () => ({ host: HOST, port: this.#port }))
    const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure())
    const listener = net.createServer((socket) => {
      this.#connections.add(socket)
      socket.on('close', () => this.#connections.delete(socket))
      socket.on('error', () => {})
      injector.injectConnection(socket)
    })
    listener.listen(this.#port, HOST)
    await once(listener, 'listening')
    this.#port = (listener.address() as net.AddressInfo).port
    this.#grpc = grpc
    this.#listener = listener
  }

  async #closeListener(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      if (this.#listener) this.#listener.close(() => resolve())
      else resolve()
    })
    this.dropConnections()
    this.#grpc?.forceShutdown()
    await closed
  }
}
