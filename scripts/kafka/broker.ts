import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { listProcesses } from '../../platform/postgres/embedded/processTable.ts'
import { lastLine } from '../../platform/postgres/embedded/runCommand.ts'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import type { NodeFolder } from './clusterFolder.ts'
import { javaFault } from './javaFault.ts'

export type BrokerOptions = {
  readonly id: number
  readonly port: number
  readonly java: string
  readonly jars: string
  readonly folder: NodeFolder
  readonly heapMb: number
  readonly javaArgs: readonly string[]
}

const startMsMax = 90_000
const stopMsMax = 10_000
const killMsMax = 5_000
const pollMs = 20
const logTailBytes = 64 * 1024
const log4jFile = join(import.meta.dirname, 'log4j2.properties')

/** One broker: a process that can be stopped, killed and restarted on its data. */
export class KafkaBroker {
  readonly id: number
  readonly port: number
  readonly #options: BrokerOptions
  #child: ChildProcess | null = null
  #logStart = 0

  constructor(options: BrokerOptions) {
    this.id = options.id
    this.port = options.port
    this.#options = options
  }

  /** null if it is not running. */
  get pid(): number | null {
    return this.#isRunning() ? (this.#child?.pid ?? null) : null
  }

  get logFile(): string {
    return this.#options.folder.logFile
  }

  /** Resolves when the process has ended; at once if it is not running. */
  get ended(): Promise<void> {
    const child = this.#child
    return child && this.#isRunning() ? once(child, 'exit').then(() => {}) : Promise.resolve()
  }

  /** Starts it and waits until it is ready. One of several is ready only when most of them have started. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#isRunning()) throw new Error(`broker ${this.id} is already running`)
    await this.#spawn()
    const end = performance.now() + startMsMax
    while (!(await this.#serves())) {
      if (signal?.aborted) await this.kill()
      signal?.throwIfAborted()
      if (!this.#isRunning()) {
        throw new Error(`Kafka's broker ${this.id} did not start: ${await this.reason()}. Its log: ${this.logFile}`)
      }
      if (performance.now() > end) {
        await this.kill()
        throw new Error(
          `Kafka's broker ${this.id} was not ready within ${startMsMax / 1000} s. Its log: ${this.logFile}`,
        )
      }
      await sleep(pollMs)
    }
  }

  /** Shuts it down gracefully, and kills it after a time-out. No data is lost either way. */
  async stop(msMax = stopMsMax): Promise<void> {
    if (!(await this.#endsAfter('SIGTERM', msMax))) await this.kill()
  }

  async kill(): Promise<void> {
    if (!(await this.#endsAfter('SIGKILL', killMsMax))) {
      throw new Error(`Kafka's broker ${this.id}, process ${this.#child?.pid}, does not end on SIGKILL.`)
    }
  }

  /** Kills it without waiting, for a process that is about to exit. */
  abandon(): void {
    if (this.pid !== null) sendSignal(this.pid, 'SIGKILL')
  }

  /** Why it ended, from its log. */
  async reason(): Promise<string> {
    if (this.#child?.signalCode) return `by ${this.#child.signalCode}`
    const fault = javaFault(await readTail(this.logFile, this.#logStart))
    return fault ?? lastLine(await readFile(this.#options.folder.outputFile, 'utf8').catch(() => ''))
  }

  #isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async #spawn(): Promise<void> {
    const { java, jars, heapMb, javaArgs, folder } = this.#options
    this.#logStart = await sizeOf(folder.logFile)
    const output = await open(folder.outputFile, 'w', 0o600)
    try {
      const args = [
        `-Xmx${heapMb}m`,
        '-XX:+UseSerialGC',
        '-XX:+ExitOnOutOfMemoryError',
        ...javaArgs,
        `-Dlog4j2.configurationFile=${log4jFile}`,
        `-Dtollgate.kafka.log=${folder.logFile}`,
        '-cp',
        join(jars, '*'),
        ...commandEnd(folder),
      ]
      // Its own session, so that Ctrl-C reaches only this process, which stops the brokers.
      const child = spawn(java, args, { cwd: '/', detached: true, stdio: ['ignore', output.fd, output.fd] })
      this.#child = child
      await once(child, 'spawn')
    } finally {
      await output.close()
    }
  }

  async #serves(): Promise<boolean> {
    return (await readFile(this.#options.folder.outputFile, 'utf8')).includes('Kafka Server started')
  }

  async #endsAfter(signal: NodeJS.Signals, msMax: number): Promise<boolean> {
    const pid = this.pid
    if (pid === null) return true
    sendSignal(pid, signal)
    // A suspended process would not handle the signal.
    sendSignal(pid, 'SIGCONT')
    return settlesWithin(this.ended, msMax, systemClock)
  }
}

/** Stops a broker on this folder whose parent process was killed. */
export async function endOrphan(folder: NodeFolder): Promise<void> {
  const orphans = async () => {
    const mark = ` ${commandEnd(folder).join(' ')} `
    return (await listProcesses()).filter(({ command }) => command.includes(mark))
  }
  for (const { signal, msMax } of [
    { signal: 'SIGTERM', msMax: stopMsMax },
    { signal: 'SIGKILL', msMax: killMsMax },
  ] as const) {
    const end = performance.now() + msMax
    for (const { pid } of await orphans()) sendSignal(pid, signal)
    while ((await orphans()).length > 0) {
      if (performance.now() > end) break
      await sleep(pollMs)
    }
  }
  const left = await orphans()
  if (left[0]) throw new Error(`Kafka, process ${left[0].pid}, does not end on SIGKILL.`)
}

// The end of the command line, which identifies the process of this broker.
function commandEnd(folder: NodeFolder): string[] {
  return ['kafka.Kafka', folder.settingsFile]
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

async function readTail(file: string, from: number): Promise<string> {
  const log = await open(file).catch(() => null)
  if (log === null) return ''
  try {
    const { size } = await log.stat()
    // A log that has become shorter was rotated.
    const start = Math.max(size < from ? 0 : from, size - logTailBytes)
    const { buffer, bytesRead } = await log.read(Buffer.alloc(logTailBytes), 0, logTailBytes, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await log.close()
  }
}
