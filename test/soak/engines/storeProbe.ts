import { setTimeout as wait } from 'node:timers/promises'
import { APPENDS_SILENT_MS } from '../../../platform/eventStore/appendsUnderWay.ts'
import { type EventStore, WrongExpectedRevision } from '../../../platform/eventStore/port.ts'
import { anEvent } from '../../support/events/events.ts'

/** Times are of Date.now. */
export type Silence = { readonly from: number; readonly to: number }

const PROBE_MS = 100
/** Half of the time after which gateways refuse calls: a store that stalls answers one of its clients now and then. */
const SILENT_MS = APPENDS_SILENT_MS / 2
const STREAM = 'probe-soak'
const NO_SUCH_REVISION = 1_000_000

/**
 * Appends beside the services, over a connection of its own, and notes when the store let that wait so long that gateways
 * may refuse calls. The store refuses each append because of its revision, so nothing is stored.
 */
export class StoreProbe {
  readonly silences: Silence[] = []
  readonly #store: EventStore
  #running: Promise<void> | null = null
  #ending = false

  constructor(store: EventStore) {
    this.#store = store
  }

  begin(): void {
    this.#running = this.#run()
  }

  async end(): Promise<void> {
    this.#ending = true
    await this.#running
  }

  async #run(): Promise<void> {
    let answeredAt = Date.now()
    while (!this.#ending) {
      const isAnswered = await this.#isAnswered()
      const now = Date.now()
      if (isAnswered) {
        if (now - answeredAt >= SILENT_MS) this.silences.push({ from: answeredAt, to: now })
        answeredAt = now
      }
      await wait(PROBE_MS)
    }
  }

  async #isAnswered(): Promise<boolean> {
    try {
      await this.#store.append(STREAM, NO_SUCH_REVISION, [anEvent()])
    } catch (error) {
      return error instanceof WrongExpectedRevision
    }
    return true
  }
}
