import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import type { EventBatch } from '../../../platform/eventStore/port.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import type { Random } from '../scheduler/random.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { EventLog } from './eventLog.ts'

const DELAY_MS_MAX = 20
const LATE_MS_MAX = 6_000
/** Below this, a store keeps up: nothing that is promised suffers. */
const SLOW_MS = 200

/** How long a view takes to subscribe again. */
const RESUBSCRIBED_MS = 1_000

type Options = {
  readonly scheduler: Scheduler
  readonly faults: FaultPlan
  readonly random: Random
  readonly log: EventLog
  readonly silentForMs: () => number
  readonly disturbed: (process: string | null, untilMs: number) => void
}

export type Partition = { readonly name: string; readonly has: (stream: string) => boolean }

type Tail = {
  readonly owner: SimulatedProcess | null
  /** How far the process has got. */
  position: Position
  isScheduled: boolean
  readonly readers: Set<() => void>
}

/**
 * New events reach a process partition by partition, each after a delay of its own. All subscriptions of a process to one
 * partition share it, as they share a connection in reality.
 */
export class Deliveries {
  readonly #options: Options
  readonly #tails = new Map<SimulatedProcess | null, Map<string, Tail>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Schedules a delivery wherever none is on its way yet: it brings everything that is stored until then. */
  stored(): void {
    for (const [owner, tails] of this.#tails) {
      if (owner?.isDead) this.#tails.delete(owner)
      else for (const [name, tail] of tails) this.#deliver(name, tail)
    }
  }

  async *of(
    { name, has }: Partition,
    after: Position,
    isChosen: (event: RecordedEvent) => boolean,
    signal: AbortSignal,
  ): AsyncIterable<EventBatch> {
    const { log, faults, disturbed, scheduler } = this.#options
    const tail = this.#tailOf(name)
    let position = after
    let wake = () => {}
    const reader = () => wake()
    tail.readers.add(reader)
    signal.addEventListener('abort', reader)
    try {
      while (!signal.aborted) {
        if (tail.position <= position) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          continue
        }
        const reached = tail.position
        const events = log
          .after(position)
          .filter((event) => event.position <= reached && has(event.stream) && isChosen(event))
        // The connection breaks before the batch was taken or after it: the subscriber continues where it was.
        if (faults.happens('delivery is repeated')) {
          disturbed(tail.owner?.name ?? null, scheduler.nowMs + RESUBSCRIBED_MS)
          throw new Error('the subscription was dropped')
        }
        position = reached
        yield { events, position }
      }
    } finally {
      tail.readers.delete(reader)
      signal.removeEventListener('abort', reader)
    }
  }

  #tailOf(name: string): Tail {
    const { scheduler } = this.#options
    const owner = scheduler.processes.getStore() ?? null
    let tails = this.#tails.get(owner)
    if (!tails) {
      tails = new Map()
      this.#tails.set(owner, tails)
    }
    let tail = tails.get(name)
    if (!tail) {
      tail = { owner, position: '' as Position, isScheduled: false, readers: new Set() }
      tails.set(name, tail)
    }
    this.#deliver(name, tail)
    return tail
  }

  #deliver(name: string, tail: Tail): void {
    const { scheduler, faults, random, log, silentForMs, disturbed } = this.#options
    if (tail.isScheduled || tail.position >= log.head) return
    tail.isScheduled = true
    const lateMs = faults.happens('delivery is late') ? random.fraction() ** 2 * LATE_MS_MAX : 0
    const delayMs = silentForMs() + lateMs + random.fraction() * DELAY_MS_MAX
    if (delayMs > SLOW_MS) disturbed(tail.owner?.name ?? null, scheduler.nowMs + delayMs)
    const run = () => {
      tail.isScheduled = false
      tail.position = log.head
      for (const wake of [...tail.readers]) wake()
    }
    const { owner } = tail
    const inContext = () => (owner ? scheduler.processes.run(owner, run) : scheduler.processes.exit(run))
    scheduler.processes.exit(() => scheduler.schedule({ owner, label: `delivery of ${name}`, delayMs }, inContext))
  }
}
