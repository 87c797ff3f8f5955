import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../support/time/until.ts'

const TOKEN = 'internal-token-of-the-soak'
const BASE = '/api/v1/background-tasks/match-score-generator'
const READY_MS_MAX = 60_000
const REPOSITORY = join(import.meta.dirname, '..', '..', '..')

export type GeneratorMetrics = {
  readonly total_processed: number
  readonly total_errors: number
  readonly queue_depth: number
  readonly circuit_breaker_state: string
}

/** The AI service as a process of its own, as `npm run start:ai` runs it. */
export class AiProcess {
  readonly #settings: Readonly<Record<string, string>>
  readonly #url: string
  readonly #logFile: string
  #child: ChildProcess | null = null

  constructor(settings: Readonly<Record<string, string>>, port: number, logFile: string) {
    const required = { INTERNAL_TOKEN: TOKEN, JWT_SECRET: 'x'.repeat(32), PUBLIC_URL: 'http://localhost' }
    this.#settings = { ...settings, AI_PORT: String(port), ...required }
    this.#url = `http://127.0.0.1:${port}`
    this.#logFile = logFile
  }

  async start(): Promise<void> {
    const log = openSync(this.#logFile, 'a')
    const child = spawn(process.execPath, ['services/ai/main.ts'], {
      cwd: REPOSITORY,
      env: { PATH: process.env.PATH, ...this.#settings },
      stdio: ['ignore', log, log],
    })
    this.#child = child
    const isReady = () =>
      fetch(`${this.#url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until('the AI service answers, or ends', async () => child.exitCode !== null || isReady(), READY_MS_MAX)
    if (child.exitCode !== null) throw new Error(await readFile(this.#logFile, 'utf8'))
  }

  /** Kills it, as a power failure does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async drain(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  async status(): Promise<{ status: string; current_batch: number; queue_size: number }> {
    return this.#ask('GET', `${BASE}/status`)
  }

  async metrics(): Promise<GeneratorMetrics> {
    return this.#ask('GET', `${BASE}/metrics`)
  }

  async operations(): Promise<{ totals: Record<string, number> }> {
    return this.#ask('GET', '/monitoring/operations')
  }

  async command(name: 'start' | 'stop'): Promise<{ status: string }> {
    return this.#ask('POST', `${BASE}/${name}`)
  }

  async #ask<Answer>(method: string, path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const response = await fetch(this.#url + path, { method, headers })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null) return child?.exitCode ?? null
    const exited = once(child, 'exit')
    child.kill(signal)
    const [code] = (await exited) as [number | null]
    return code
  }
}
