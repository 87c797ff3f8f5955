import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '../../services/platform/postgres/embedded/processTable.ts'
import { lastLine } from '../../services/platform/postgres/embedded/runCommand.ts'
import { sendSignal } from '../../services/platform/postgres/embedded/sendSignal.ts'
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

/** One broker as a process that can be stopped, killed and started again on its data. */
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

  /** null while it does not run. */
  get pid(): number | null {
    return this.#isRunning() ? (this.#child?.pid ?? null) : null
  }

  get logFile(): string {
    return this.#options.folder.logFile
  }

  /** Resolves when the process ends, however it does; at once when it does not run. */
  get ended(): Promise<void> {
    const child = this.#child
    return child && this.#isRunning() ? once(child, 'exit').then(() => {}) : Promise.resolve()
  }

  /** Starts it and waits until it serves, which one of several does only when most of them have started. */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#isRunning()) throw new Error(`broker ${this.id} runs already`)
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
          `Kafka's broker ${this.id} did not serve within ${startMsMax / 1000} s. Its log: ${this.logFile}`,
        )
      }
      await sleep(pollMs)
    }
  }

  /** Hands its partitions over, writes what it holds, and ends. What does not end in time is killed: no data goes. */
  async stop(msMax = stopMsMax): Promise<void> {
    if (!(await this.#endsAfter('SIGTERM', msMax))) await this.kill()
  }

  async kill(): Promise<void> {
    if (!(await this.#endsAfter('SIGKILL', killMsMax))) {
      throw new Error(`Kafka's broker ${this.id}, process ${this.#child?.pid}, does not end on SIGKILL.`)
    }
  }

  /** Without waiting for anything: for a process that is about to end itself. */
  abandon(): void {
    if (this.pid !== null) sendSignal(this.pid, 'SIGKILL')
  }

  /** Why it ended, in its own words. */
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
      // A session of its own, so that Ctrl-C in the terminal reaches us first and the brokers by our stop.
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
    // One that was suspended would never see the signal.
    sendSignal(pid, 'SIGCONT')
    return Promise.race([this.ended.then(() => true), sleep(msMax, false)])
  }
}

/** Ends what runs on this folder: the broker of a process that was killed itself. */
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

// The words that tell this broker's process from every other.
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
    // A log that is shorter than it was has been rolled over.
    const start = Math.max(size < from ? 0 : from, size - logTailBytes)
    const { buffer, bytesRead } = await log.read(Buffer.alloc(logTailBytes), 0, logTailBytes, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await log.close()
  }
}
