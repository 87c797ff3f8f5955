import type { ApiKeyHeader } from '../../../capabilities/providers/providerClient.ts'
import type { WireName } from '../../../capabilities/providers/wires.ts'
import type { AnswerFacts } from './answers/providerAnswer.ts'
import type { InferenceRequest, Refused } from './requests/inferenceRequest.ts'
import type { StreamFormat } from './streams/streamFormat.ts'

/** How one API is read. A call of any of them takes the same way; what differs between them is here. */
export type WireFormat = {
  readonly name: WireName
  /** The path below our mount, and below the base address of a provider. */
  readonly endpoint: string
  readRequest(body: Buffer): InferenceRequest | Refused
  /** Takes a provider's whole answer, parsed. */
  readAnswer(json: unknown): AnswerFacts
  readonly stream: StreamFormat
  /** The header for a provider's key, if it is not Authorization. */
  readonly keyHeader?: ApiKeyHeader
  /** Headers of the caller that a provider gets as they are. */
  readonly passedOn?: readonly string[]
}
