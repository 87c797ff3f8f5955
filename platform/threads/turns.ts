import { ReadersBusy, ReadingCanceled } from '../../capabilities/documents/unreadable.ts'

export type TurnLimits = {
  /** Documents that are read at once: in all, and of one company. */
  readonly readersMax: number
  readonly readersPerCompanyMax: number
  /** Documents that wait: in all, and of one company. */
  readonly waitingMax: number
  readonly waitingPerCompanyMax: number
}

type Waiter = { start(): void; refuse(error: Error): void }

/**
 * Lets a few documents be read at once. The companies that wait take turns, whatever the number of documents each has
 * waiting, and no company takes all places. When the queue is full, a company with few documents in it displaces the
 * newest document of the company with the most.
 */
export class CompanyTurns {
  readonly #limits: TurnLimits
  readonly #reading = new Map<string, number>()
  #readingCount = 0
  /** In the order of their turns; a company moves to the end when one of its documents starts. */
  readonly #waiting = new Map<string, readonly Waiter[]>()
  #waitingCount = 0
  #isClosed = false

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** Resolves when the document may be read, with the function that ends its turn. */
  async enter(companyId: string, signal?: AbortSignal): Promise<() => void> {
    if (this.#isClosed || signal?.aborted) throw new ReadingCanceled()
    if (this.#hasPlaceFor(companyId)) this.#begin(companyId)
    else await this.#wait(companyId, signal)
    return () => this.#end(companyId)
  }

  /** Refuses all documents that wait, and those to come. */
  close(): void {
    this.#isClosed = true
    for (const waiters of [...this.#waiting.values()]) {
      for (const waiter of [...waiters]) waiter.refuse(new ReadingCanceled())
    }
  }

  async #wait(companyId: string, signal: AbortSignal | undefined): Promise<void> {
    this.#makeRoomFor(companyId)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = {
      start: () => {
        this.#remove(companyId, waiter)
        this.#moveToEnd(companyId)
        this.#begin(companyId)
        resolve()
      },
      refuse: (error) => {
        this.#remove(companyId, waiter)
        reject(error)
      },
    }
    const cancel = () => waiter.refuse(new ReadingCanceled())
    signal?.addEventListener('abort', cancel)
    this.#waiting.set(companyId, [...this.#waitersOf(companyId), waiter])
    this.#waitingCount++
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  #makeRoomFor(companyId: string): void {
    const { waitingMax, waitingPerCompanyMax } = this.#limits
    const own = this.#waitersOf(companyId).length
    if (own >= waitingPerCompanyMax) throw new ReadersBusy('own')
    if (this.#waitingCount < waitingMax) return
    const [most] = [...this.#waiting.values()].sort((a, b) => b.length - a.length)
    if (!most || most.length <= own + 1) throw new ReadersBusy('all')
    most.at(-1)?.refuse(new ReadersBusy('all'))
  }

  #hasPlaceFor(companyId: string): boolean {
    const { readersMax, readersPerCompanyMax } = this.#limits
    return this.#readingCount < readersMax && (this.#reading.get(companyId) ?? 0) < readersPerCompanyMax
  }

  #begin(companyId: string): void {
    this.#readingCount++
    this.#reading.set(companyId, (this.#reading.get(companyId) ?? 0) + 1)
  }

  #end(companyId: string): void {
    this.#readingCount--
    const left = (this.#reading.get(companyId) ?? 0) - 1
    if (left > 0) this.#reading.set(companyId, left)
    else this.#reading.delete(companyId)
    for (const [next, [waiter]] of [...this.#waiting]) {
      if (this.#hasPlaceFor(next)) waiter?.start()
    }
  }

  #waitersOf(companyId: string): readonly Waiter[] {
    return this.#waiting.get(companyId) ?? []
  }

  #remove(companyId: string, waiter: Waiter): void {
    const waiters = this.#waitersOf(companyId)
    const others = waiters.filter((other) => other !== waiter)
    this.#waitingCount -= waiters.length - others.length
    if (others.length > 0) this.#waiting.set(companyId, others)
    else this.#waiting.delete(companyId)
  }

  #moveToEnd(companyId: string): void {
    const waiters = this.#waiting.get(companyId)
    if (!waiters) return
    this.#waiting.delete(companyId)
    this.#waiting.set(companyId, waiters)
  }
}
