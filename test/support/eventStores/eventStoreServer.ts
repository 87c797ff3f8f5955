import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, type TestContext } from 'vitest'
import { serverArguments, serverEnvironment } from '../../../scripts/eventStore/serverProgram.ts'
import { takeEngine, withoutEngine } from '../engines/engineOffer.ts'
import { onAbruptExit } from '../processes/exitSteps.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { until } from '../time/until.ts'

/** The version used by the tests and by Docker Compose. */
export const EVENT_STORE_VERSION = '23.10.6'

/** The value of ESDB_SERVER that says there is no server binary and its tests may be skipped. */
export const NO_EVENT_STORE_SERVER = 'none'

/** Usually a few seconds, but a minute while all services of a soak run. */
const START_MS_MAX = 150_000

export type EventStoreServerOptions = {
  /** Options of the server, added to those for a single node. With --certificate-file it serves TLS. */
  readonly args?: readonly string[]
}

/** A real EventStoreDB server with its own ports and folder, which can be killed, frozen and restarted. */
export class EventStoreServer {
  readonly url: string
  readonly port: number
  readonly #binary: string
  readonly #folder: string
  readonly #args: readonly string[]
  readonly #isSecure: boolean
  #process: ChildProcess | null = null
  #output = ''
  #callOff: () => void = () => {}

  constructor(
    binary: string,
    folder: string,
    [port = 0, replicationPort = 0]: readonly number[],
    args: readonly string[],
  ) {
    this.#binary = binary
    this.#folder = folder
    this.port = port
    this.#isSecure = args.includes('--certificate-file')
    this.url = `esdb://127.0.0.1:${port}?tls=${this.#isSecure}`
    const named = serverArguments(folder, port, replicationPort)
    this.#args = [...named, ...(this.#isSecure ? [] : ['--insecure']), ...args]
  }

  /** Starts or restarts the server and waits until it serves. */
  async start(): Promise<void> {
    const child = spawn(this.#binary, this.#args, { env: serverEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
    this.#callOff = onAbruptExit(() => child.kill('SIGKILL'))
    this.#process = child
    this.#output = ''
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (bytes: Buffer) => {
        this.#output = (this.#output + bytes).slice(-4_000)
      })
    }
    let failure: Error | null = null
    child.once('error', (error) => {
      failure = error
    })
    await until(
      'the EventStoreDB server serves',
      async () => {
        if (failure) throw failure
        if (child.exitCode !== null) throw new Error(`the EventStoreDB server ended: ${this.#output}`)
        return this.serves()
      },
      START_MS_MAX,
    )
  }

  /** A node that must truncate its log after an election exits and expects to be restarted. */
  get hasEnded(): boolean {
    return this.#process === null || this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  serves(): Promise<boolean> {
    const address = { host: '127.0.0.1', port: this.port, path: '/health/live', timeout: 5_000 }
    return new Promise((resolve) => {
      // The certificate does not matter here.
      const request = this.#isSecure ? https.get({ ...address, rejectUnauthorized: false }) : http.get(address)
      request.on('response', (response) => {
        response.resume()
        resolve(response.statusCode === 204)
      })
      request.on('timeout', () => request.destroy(new Error('no answer')))
      request.on('error', () => resolve(false))
    })
  }

  /** Kills it like a crash of its machine, with no chance to finish anything. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child || this.hasEnded) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    this.#callOff()
  }

  /** Freezes it: it keeps its connections but does not answer. */
  freeze(): void {
    this.#process?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process?.kill('SIGCONT')
  }

  async stop(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Why this machine cannot start servers; null if it can. */
export function missingEventStoreBinary(): string | null {
  const binary = process.env.ESDB_SERVER
  return binary && binary !== NO_EVENT_STORE_SERVER ? null : 'ESDB_SERVER does not name the binary of EventStoreDB'
}

export async function startEventStoreServer({ args = [] }: EventStoreServerOptions = {}): Promise<EventStoreServer> {
  const missing = missingEventStoreBinary()
  if (missing !== null) throw new Error(missing)
  // If this run is killed, a later one recognises this name and cleans up.
  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  const server = new EventStoreServer(process.env.ESDB_SERVER ?? '', folder, await reusablePorts(2), args)
  try {
    await server.start()
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** A server for one test, which it can kill and freeze. A container cannot replace it. */
export async function ownEventStoreServer(
  context: TestContext,
  options: EventStoreServerOptions = {},
): Promise<EventStoreServer> {
  requireEventStoreBinary(context)
  return startEventStoreServer(options)
}

/** The path of the server's binary. Skips the test if there is none. */
export function requireEventStoreBinary(context: TestContext): string {
  const missing = missingEventStoreBinary()
  if (missing !== null) {
    const shared = inject('eventStore')
    if ('address' in shared) context.skip(`${missing}, and a server in a container is not killed`)
    else withoutEngine(context, shared)
  }
  return process.env.ESDB_SERVER ?? ''
}

/** The address of the shared server. Tests use their own prefix on it. */
export function sharedEventStore(context: TestContext): string {
  return takeEngine(context, inject('eventStore'))
}

export function aPrefix(): string {
  return `test${randomUUID().replaceAll('-', '')}.`
}
