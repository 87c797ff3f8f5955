/** Calls are added up by slots of this length; a whole slot is dropped once it is older than the window. */
const SLOT_MS = 5_000
const SLOTS = 12

type Slot = { readonly number: number; answers: number; errors: number; firstByteMs: number }

/** Counts the calls of the last minute. Times are of the monotonic clock. */
export class RecentCalls {
  #slots: Slot[] = []

  answered(nowMs: number, firstByteMs: number): void {
    const slot = this.#slotAt(nowMs)
    slot.answers++
    slot.firstByteMs += firstByteMs
  }

  failed(nowMs: number): void {
    this.#slotAt(nowMs).errors++
  }

  /** `firstByteMs` is the sum over all answers. */
  sums(nowMs: number): { answers: number; errors: number; firstByteMs: number } {
    this.#dropOld(numberAt(nowMs))
    const sums = { answers: 0, errors: 0, firstByteMs: 0 }
    for (const { answers, errors, firstByteMs } of this.#slots) {
      sums.answers += answers
      sums.errors += errors
      sums.firstByteMs += firstByteMs
    }
    return sums
  }

  #slotAt(nowMs: number): Slot {
    const number = numberAt(nowMs)
    const newest = this.#slots.at(-1)
    if (newest?.number === number) return newest
    this.#dropOld(number)
    const slot = { number, answers: 0, errors: 0, firstByteMs: 0 }
    this.#slots.push(slot)
    return slot
  }

  #dropOld(number: number): void {
    this.#slots = this.#slots.filter((slot) => slot.number > number - SLOTS)
  }
}

function numberAt(nowMs: number): number {
  return Math.floor(nowMs / SLOT_MS)
}
