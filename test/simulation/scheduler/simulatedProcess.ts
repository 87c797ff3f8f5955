import { EventEmitter } from 'node:events'
import type { Lane } from './lane.ts'

/** A process of the installation. All of them live in one real process and are told apart by their async context. */
export class SimulatedProcess {
  readonly name: string
  readonly pid: number
  /** When it began, as a time of the run. */
  readonly bornMs: number
  readonly immediates: Lane = { lastMs: 0 }
  /** What it listens to by `process.on`, such as signals. */
  readonly events = new EventEmitter()
  /** How far its clock is ahead of the true time. */
  clockAheadMs = 0
  pausedUntilMs = 0
  isDead = false
  /** How long it takes until it is started again after it was killed. */
  downMs = 0
  readonly #onKill = new Set<() => void>()

  constructor(name: string, { pid = 1, bornMs = 0 } = {}) {
    this.name = name
    this.pid = pid
    this.bornMs = bornMs
  }

  /** Returns how to forget it. */
  onKill(release: () => void): () => void {
    this.#onKill.add(release)
    return () => void this.#onKill.delete(release)
  }

  /** None of its steps runs any more, so nothing that it waits for ever settles. */
  kill(): void {
    if (this.isDead) return
    this.isDead = true
    this.events.removeAllListeners()
    const released = [...this.#onKill]
    this.#onKill.clear()
    for (const release of released) release()
  }
}
