export type TurnLimits = {
  /** How many tasks run at once: in total, and per owner. */
  readonly runningMax: number
  readonly runningPerOwnerMax: number
  /** How many tasks wait: in total, and per owner. */
  readonly waitingMax: number
  readonly waitingPerOwnerMax: number
}

/** The errors of tasks that get no turn. */
export type TurnRefusals = {
  /** Too many tasks wait: in total, or of this owner. */
  busy(whose: 'all' | 'own'): Error
  canceled(): Error
}

type Waiter = { start(): void; refuse(error: Error): void }

/**
 * Lets a few tasks run at once. Waiting owners take turns, however many tasks each has, and no owner takes all places.
 * When the queue is full, an owner with few tasks in it displaces the newest task of the owner with the most.
 */
export class Turns {
  readonly #limits: TurnLimits
  readonly #refusals: TurnRefusals
  readonly #running = new Map<string, number>()
  #runningCount = 0
  /** In the order of their turns; an owner moves to the end when one of its tasks starts. */
  readonly #waiting = new Map<string, readonly Waiter[]>()
  #waitingCount = 0
  #isClosed = false

  constructor(limits: TurnLimits, refusals: TurnRefusals) {
    this.#limits = limits
    this.#refusals = refusals
  }

  /** Resolves with a function that ends the turn, once the task may run. */
  async enter(owner: string, signal?: AbortSignal): Promise<() => void> {
    if (this.#isClosed || signal?.aborted) throw this.#refusals.canceled()
    if (this.#hasPlaceFor(owner)) this.#begin(owner)
    else await this.#wait(owner, signal)
    return () => this.#end(owner)
  }

  /** Refuses all waiting and future tasks. */
  close(): void {
    this.#isClosed = true
    for (const waiters of [...this.#waiting.values()]) {
      for (const waiter of [...waiters]) waiter.refuse(this.#refusals.canceled())
    }
  }

  async #wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    this.#makeRoomFor(owner)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = {
      start: () => {
        this.#remove(owner, waiter)
        this.#moveToEnd(owner)
        this.#begin(owner)
        resolve()
      },
      refuse: (error) => {
        this.#remove(owner, waiter)
        reject(error)
      },
    }
    const cancel = () => waiter.refuse(this.#refusals.canceled())
    signal?.addEventListener('abort', cancel)
    this.#waiting.set(owner, [...this.#waitersOf(owner), waiter])
    this.#waitingCount++
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  #makeRoomFor(owner: string): void {
    const { waitingMax, waitingPerOwnerMax } = this.#limits
    const own = this.#waitersOf(owner).length
    if (own >= waitingPerOwnerMax) throw this.#refusals.busy('own')
    if (this.#waitingCount < waitingMax) return
    const [most] = [...this.#waiting.values()].sort((a, b) => b.length - a.length)
    if (!most || most.length <= own + 1) throw this.#refusals.busy('all')
    most.at(-1)?.refuse(this.#refusals.busy('all'))
  }

  #hasPlaceFor(owner: string): boolean {
    const { runningMax, runningPerOwnerMax } = this.#limits
    return this.#runningCount < runningMax && (this.#running.get(owner) ?? 0) < runningPerOwnerMax
  }

  #begin(owner: string): void {
    this.#runningCount++
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1)
  }

  #end(owner: string): void {
    this.#runningCount--
    const left = (this.#running.get(owner) ?? 0) - 1
    if (left > 0) this.#running.set(owner, left)
    else this.#running.delete(owner)
    for (const [next, [waiter]] of [...this.#waiting]) {
      if (this.#hasPlaceFor(next)) waiter?.start()
    }
  }

  #waitersOf(owner: string): readonly Waiter[] {
    return this.#waiting.get(owner) ?? []
  }

  #remove(owner: string, waiter: Waiter): void {
    const waiters = this.#waitersOf(owner)
    const others = waiters.filter((other) => other !== waiter)
    this.#waitingCount -= waiters.length - others.length
    if (others.length > 0) this.#waiting.set(owner, others)
    else this.#waiting.delete(owner)
  }

  #moveToEnd(owner: string): void {
    const waiters = this.#waiting.get(owner)
    if (!waiters) return
    this.#waiting.delete(owner)
    this.#waiting.set(owner, waiters)
  }
}
