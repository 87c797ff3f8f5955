import type { RecordedCall, UnsettledCall, UnsettledList } from '../../../capabilities/unsettledCalls/unsettledCalls.ts'
import type { Counters } from '../counters.ts'
import type { RemoteCalls } from './remoteCalls.ts'

/** The files of unsettled calls of one data folder, which outlive the gateways on it. Their writes are steps. */
export class MemoryUnsettledCalls {
  readonly #remote: RemoteCalls
  readonly #nowMs: () => number
  readonly #counters: Counters
  /** Called when a call is to be recorded; what it returns, when that is done. */
  readonly #onRecorded: () => () => void
  readonly calls = new Map<string, RecordedCall>()

  constructor(remote: RemoteCalls, nowMs: () => number, counters: Counters, onRecorded: () => () => void) {
    this.#remote = remote
    this.#nowMs = nowMs
    this.#counters = counters
    this.#onRecorded = onRecorded
  }

  record(unsettled: UnsettledCall): Promise<void> {
    const recorded = this.#onRecorded()
    const text = JSON.stringify({ version: 2, ...unsettled, recordedAt: new Date(this.#nowMs()).toISOString() })
    return this.#remote.call('file is written', this.#remote.usual(), () => {
      this.#counters.hit('an unsettled call is recorded')
      this.calls.set(unsettled.call.callId, JSON.parse(text) as RecordedCall)
      recorded()
    })
  }

  remove(callId: string): Promise<void> {
    return this.#remote.call('file is removed', this.#remote.usual(), () => {
      if (this.calls.delete(callId)) this.#counters.hit('an unsettled call is settled')
    })
  }

  list(): Promise<UnsettledList> {
    if (this.calls.size > 0) this.#counters.hit('unsettled calls are found at a start')
    return this.#remote.call('files are listed', this.#remote.usual(), () => ({
      calls: [...this.calls.values()].toSorted((a, b) => (a.call.callId < b.call.callId ? -1 : 1)),
      damaged: [],
    }))
  }
}
