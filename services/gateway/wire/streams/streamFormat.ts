import type { ErrorEnvelope } from '../../../../contracts/errors.ts'
import type { ProviderFault } from '../answers/providerFault.ts'
import type { ReportedUsage } from '../usage/usageShape.ts'

/** What is read of one event of a stream, whatever its API. It can be sent to another thread. */
export type StreamFacts = {
  /** `invalid`: the data is not an event of this API, and the stream has failed. */
  readonly kind: string
  /** The provider reports an error in place of an event. */
  readonly error?: boolean
  /** What that error says of the request; null if it says nothing that callers can use. */
  readonly fault?: ProviderFault | null | undefined
  /** About how many characters the event delivers, to estimate the tokens of a stream without a usage block. */
  readonly deliveredChars?: number
}

export type StreamEnd = {
  /** The last usage block that could be read. */
  readonly usage: ReportedUsage | null
  /** Everything that was asked for has come to its end. */
  readonly finished: boolean
  readonly sawDone: boolean
}

/** release: what is held may be sent, and then this event. */
export type StreamVerdict = 'pass' | 'hold' | 'release'

export type FailedStream = { readonly callId: string; readonly model: string }

/** Decides which events of one stream may be sent at once. */
export type StreamGate<Chunk extends StreamFacts = StreamFacts> = {
  /** Takes the events in order; null stands for an event without data, such as a comment. */
  admit(chunk: Chunk | null): StreamVerdict
  /** Something has finished, so that the usage block may be on its way. */
  readonly isEnding: boolean
  end(): StreamEnd
  /** The event that ends a stream which failed after it began, as clients of this API expect it. */
  failure(error: ErrorEnvelope, stream: FailedStream): string
}

export type StreamFormat<Chunk extends StreamFacts = StreamFacts> = {
  /** Reads the data of one event. `isNamedError`: the event is called `error`, whatever its data says. */
  readEvent(data: Buffer, isNamedError?: boolean): Chunk
  /** `n`: the number of choices that were asked for. */
  begin(request: { readonly n: number }): StreamGate<Chunk>
}
