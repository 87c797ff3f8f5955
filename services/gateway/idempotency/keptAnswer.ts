import { type LedgerEvent, ledgerEvents } from '../../../contracts/events/ledger.ts'
import { upcastData } from '../../../platform/eventStore/eventCodec.ts'

export const KEPT_ANSWER_BYTES_MAX = 10 * 1024 * 1024

/** An answer that is complete and about to be charged. */
export type FinishedAnswer = {
  readonly contentType: string
  /** The bytes that the caller gets; null if there are too many to keep. */
  readonly bytes: Buffer | null
}

export type CallCharge = Extract<LedgerEvent, { type: 'CallCharged' }>['data']

/** The stored answer of a call with its charge, so that a request that finds the answer can book the charge. */
export type KeptAnswer = FinishedAnswer & { readonly charge: CallCharge }

const LENGTH_BYTES = 4

type Head = {
  readonly contentType: string
  readonly charge: Record<string, unknown>
  /** The schema version of the charge; absent in answers that were kept when there was only version 1. */
  readonly version?: number
  readonly isKept: boolean
}

/** Format: the length of the head, the head as JSON, the bytes of the answer. */
export function packAnswer({ contentType, bytes, charge }: KeptAnswer): Buffer {
  const isKept = bytes !== null && bytes.length <= KEPT_ANSWER_BYTES_MAX
  const { version } = ledgerEvents.CallCharged
  const head = Buffer.from(JSON.stringify({ contentType, charge, version, isKept } satisfies Head))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(head.length)
  return Buffer.concat(isKept ? [length, head, bytes] : [length, head])
}

export function unpackAnswer(packed: Buffer): KeptAnswer {
  const headEnd = LENGTH_BYTES + packed.readUInt32BE(0)
  const head = packed.subarray(LENGTH_BYTES, headEnd).toString()
  const { contentType, charge, version = 1, isKept } = JSON.parse(head) as Head
  return {
    contentType,
    charge: upcastData('CallCharged', charge, version) as CallCharge,
    bytes: isKept ? packed.subarray(headEnd) : null,
  }
}

/** A copy of what a stream has sent, up to the limit of kept answers. */
export class StreamCopy {
  readonly #pieces: Buffer[] = []
  #bytes = 0

  add(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#bytes <= KEPT_ANSWER_BYTES_MAX) this.#pieces.push(bytes)
    else this.#pieces.length = 0
  }

  whole(): Buffer | null {
    return this.#bytes <= KEPT_ANSWER_BYTES_MAX ? Buffer.concat(this.#pieces, this.#bytes) : null
  }
}
