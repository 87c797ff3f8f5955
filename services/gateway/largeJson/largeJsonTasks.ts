import type { WireName } from '../../../capabilities/providers/wires.ts'
import type { RedactionOptions } from '../../../capabilities/redaction/redaction.ts'
import type { Bytes } from '../../../platform/threads/ownMemory.ts'
import type { AnswerFacts } from '../wire/answers/providerAnswer.ts'
import type { Refused, RequestFacts } from '../wire/requests/inferenceRequest.ts'
import type { StreamFacts } from '../wire/streams/streamFormat.ts'

/** A disguise as data, because functions cannot be sent to a thread. */
export type DisguiseData = { readonly model: string; readonly redaction: RedactionOptions }

/** What the threads do, by the name of the task. `bytes` are handed over and back. */
export type LargeJsonTasks = {
  readonly request: {
    readonly given: { readonly wire: WireName; readonly bytes: Bytes }
    readonly result: { readonly read: RequestFacts | Refused; readonly bytes: Bytes }
  }
  /** The whole answer of a provider, disguised for a caller. */
  readonly answer: {
    readonly given: { readonly wire: WireName; readonly disguise: DisguiseData; readonly bytes: Bytes }
    readonly result: { readonly read: AnswerFacts; readonly bytes: Bytes }
  }
  /** The same if only the text is needed. */
  readonly answerText: {
    readonly given: { readonly bytes: Bytes }
    readonly result: { readonly read: AnswerFacts; readonly text: string }
  }
  /** One event of a stream, as received. */
  readonly event: {
    readonly given: { readonly wire: WireName; readonly disguise: DisguiseData; readonly bytes: Bytes }
    readonly result: { readonly chunk: StreamFacts | null; readonly bytes: Bytes }
  }
}

export type LargeJsonTask = {
  [Name in keyof LargeJsonTasks]: { readonly name: Name } & LargeJsonTasks[Name]['given']
}[keyof LargeJsonTasks]
