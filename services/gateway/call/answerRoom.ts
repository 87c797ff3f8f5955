import type { FairShare } from '../../../platform/http/limits/fairShare.ts'

/** Bytes by which all answers of a process together may exceed their ordinary limits. Companies share them fairly. */
export const ANSWER_GROWTH_BYTES_MAX = 256 * 1024 * 1024
/** A provider may write one byte of a request as six in its answer: `<` as `\u003c`. */
const ECHO_FACTOR = 6

export type AnswerPart = {
  /** The limit of a part that does not repeat anything. */
  readonly ordinaryMax: number
  /** How many times the part may repeat the delivered text. */
  readonly repeats: number
}

/**
 * The size limits of the parts of one answer. Some parts repeat the request or everything delivered so far: the last event of a
 * Responses stream contains the instructions and the whole text. With a fixed limit, a caller could craft a request whose
 * stream fails after its last word and is not charged.
 */
export class AnswerRoom {
  readonly #growth: FairShare
  readonly #companyId: string
  readonly #echoBytes: number
  #deliveredBytes = 0
  #taken = 0

  constructor(growth: FairShare, companyId: string, bodyBytes: number) {
    this.#growth = growth
    this.#companyId = companyId
    this.#echoBytes = bodyBytes * ECHO_FACTOR
  }

  delivered(bytes: number): void {
    this.#deliveredBytes += bytes
  }

  /** Returns a function that says whether the part may have this many bytes, and takes them from the process's budget. */
  part({ ordinaryMax, repeats }: AnswerPart): (bytes: number) => boolean {
    let taken = 0
    return (bytes) => {
      const more = bytes - ordinaryMax - taken
      if (more <= 0) return true
      if (bytes > ordinaryMax + this.#echoBytes + this.#deliveredBytes * repeats) return false
      if (this.#growth.take(this.#companyId, more) !== 'taken') return false
      taken += more
      this.#taken += more
      return true
    }
  }

  /** The limit of an answer in one piece: the larger one if the budget allows it. */
  wholeMax(ordinaryMax: number): number {
    return this.#echoBytes > ordinaryMax && this.part({ ordinaryMax, repeats: 0 })(ordinaryMax + this.#echoBytes)
      ? ordinaryMax + this.#echoBytes
      : ordinaryMax
  }

  /** Returns the bytes: the answer was passed on or has ended. */
  release(): void {
    if (this.#taken > 0) this.#growth.give(this.#companyId, this.#taken)
    this.#taken = 0
  }
}
