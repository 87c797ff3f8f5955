import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Network } from '../../../platform/network.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import { Random } from '../scheduler/random.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { MemorySocket, type Wire } from './memorySocket.ts'
import { installUndiciTimers } from './undiciTimers.ts'

const DELAY_MS_MAX = 3
const LATE_MS_MAX = 4_000
const CONNECT_MS = 1
const CUT_SHARE = 0.2
const HTTP_PORT = 80

type Listener = { readonly owner: SimulatedProcess; readonly server: EventEmitter }

installUndiciTimers()

/** Connects processes by their names, which are the host names of URLs. */
export class MemoryNetwork {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #wire: Wire
  readonly #listeners = new Map<string, Listener>()
  /** Each name that was resolved, by its address. */
  readonly #names = new Map<string, string>()

  constructor(seed: number, scheduler: Scheduler, faults: FaultPlan) {
    this.#scheduler = scheduler
    this.#random = Random.named(seed, 'network')
    const random = this.#random
    this.#wire = {
      scheduler,
      delayMs: () => random.fraction() * (faults.happens('message is late') ? LATE_MS_MAX : DELAY_MS_MAX),
      pieceBytes: (bytes) => (random.chance(CUT_SHARE) ? 1 + random.below(bytes) : bytes),
      breaks: () => faults.happens('connection breaks'),
      open: new Set(),
    }
  }

  /** Node keeps the parser of each open connection, and with it everything of the run. */
  close(): void {
    for (const socket of this.#wire.open) socket.destroy()
  }

  /** Connections to this host and port are events of the server. */
  listen(owner: SimulatedProcess, server: EventEmitter, port = HTTP_PORT, host = owner.name): void {
    this.#listeners.set(`${host}:${port}`, { owner, server })
  }

  /** As `listen`, for a server of Node. */
  listenHttp(owner: SimulatedProcess, server: Server, port = HTTP_PORT, host = owner.name): void {
    // Node's own clock of the header is real.
    server.prependListener('request', (_request, response) => {
      response.sendDate = false
    })
    this.listen(owner, server, port, host)
  }

  /** The network as this process sees it. */
  of(owner: SimulatedProcess): Network {
    return {
      listen: async (server, { port }) => {
        this.listenHttp(owner, server, port)
        return port
      },
      connect: ({ hostname, port }, done) => {
        const host = this.#names.get(hostname) ?? hostname
        const label = `${owner.name} to ${host}`
        this.#scheduler.schedule({ owner, label, delayMs: CONNECT_MS + this.#random.fraction() }, () => {
          const listener = this.#listeners.get(`${host}:${port || HTTP_PORT}`)
          if (!listener || listener.owner.isDead) {
            return done(Object.assign(new Error(`connect ECONNREFUSED ${host}`), { code: 'ECONNREFUSED' }), null)
          }
          const { client, server } = MemorySocket.pair(this.#wire, [owner, listener.owner], label)
          this.#scheduler.processes.run(listener.owner, () => void listener.server.emit('connection', server))
          done(null, client as unknown as Socket)
        })
      },
      resolve: async (name) => [this.#addressOf(name)],
    }
  }

  /** A public address, which leads to the name again. */
  #addressOf(name: string): string {
    for (const [address, known] of this.#names) if (known === name) return address
    const address = `93.184.215.${1 + this.#names.size}`
    this.#names.set(address, name)
    return address
  }
}
