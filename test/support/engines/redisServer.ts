import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { onAbruptExit } from '../processes/exitSteps.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'

export type RedisServerOptions = {
  /** Whether its data survive a kill. By default they do not, as with a server that is only a cache. */
  readonly isDurable?: boolean
  readonly password?: string
}

/** A real `redis-server` with its own port and folder, which can be killed and restarted. */
export class RedisServer {
  readonly url: string
  readonly #port: number
  readonly #folder: string
  readonly #options: RedisServerOptions
  #process: ChildProcess | null = null
  #callOff: () => void = () => {}

  constructor(port: number, folder: string, options: RedisServerOptions) {
    this.#port = port
    this.#folder = folder
    this.#options = options
    const login = options.password === undefined ? '' : `:${options.password}@`
    this.url = `redis://${login}127.0.0.1:${port}`
  }

  /** Starts or restarts the server and waits until it accepts commands. */
  async start(): Promise<void> {
    const { isDurable, password } = this.#options
    const settings = {
      port: String(this.#port),
      bind: '127.0.0.1',
      dir: this.#folder,
      save: '',
      ...(isDurable ? { appendonly: 'yes', appendfsync: 'always' } : {}),
      ...(password === undefined ? {} : { requirepass: password }),
    }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    const callOff = onAbruptExit(() => child.kill('SIGKILL'))
    this.#process = child
    this.#callOff = callOff
    await new Promise<void>((resolve, reject) => {
      child.once('error', (error) => reject(new Error(`redis-server cannot be run: ${error.message}`)))
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
      createInterface(child.stdout).on('line', (line) => {
        if (line.includes('Ready to accept connections')) resolve()
      })
    })
  }

  /** Kills it like a crash of its machine, without closing anything. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
    this.#callOff()
  }

  /** Freezes it: it keeps its connections but does not answer. */
  freeze(): void {
    this.#process?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Sends one command on a separate connection. */
  async send(command: string, ...args: string[]): Promise<unknown> {
    const client = new Redis(this.url)
    try {
      return await client.call(command, ...args)
    } finally {
      client.disconnect()
    }
  }

  async stop(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const [port] = await reusablePorts(1)
  // If this run is killed, the set-up of a later run recognises this name and cleans up.
  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  const server = new RedisServer(port ?? 0, folder, options)
  try {
    await server.start()
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}
