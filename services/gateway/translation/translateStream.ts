import { PROVIDER_ANSWER_BYTES_MAX } from '../../../capabilities/providers/answerReceiver.ts'
import type { ErrorEnvelope } from '../../../contracts/errors.ts'
import { isJsonObject, type JsonObject } from '../../../platform/http/body/parseJson.ts'
import { type AnswerEvent, AnswerFailed, type AnswerFailure, brokenAnswer } from './conversation/answer.ts'
import { providerError } from './conversation/answerFields.ts'
import type { AnswerFrame } from './conversation/answerFrame.ts'
import { Dropped } from './conversation/dropped.ts'
import { parseExactly } from './fields/jsonTexts.ts'
import type { TranslationWay } from './translateRequest.ts'
import { WIRE_TRANSLATIONS } from './wireTranslations.ts'

const DONE = '[DONE]'
const WHITE_SPACE = /^\s*$/

/** Translates one stream. It keeps at most the text of one answer. */
export type StreamTranslation = {
  /**
   * The events for the caller that the data of one event of the provider leads to. `isNamedError`: the event is called
   * `error`, whatever its data says. Nothing after a failure.
   */
  push(data: string, isNamedError?: boolean): string[]
  /** The same for the end of the provider's stream. */
  close(): string[]
  /** Why the stream has failed; null while it has not. The caller must then get `failureEvent`, and nothing else. */
  readonly failure: AnswerFailure | null
  failureEvent(error: ErrorEnvelope): string
  /** Members that have no translation, for the log. */
  readonly dropped: readonly string[]
}

export function translateStream(
  { caller, provider }: TranslationWay,
  frame: AnswerFrame,
  { charsMax = PROVIDER_ANSWER_BYTES_MAX }: { readonly charsMax?: number } = {},
): StreamTranslation {
  const dropped = new Dropped()
  const reader = WIRE_TRANSLATIONS[provider].createStreamReader(dropped)
  const writer = WIRE_TRANSLATIONS[caller].createStreamWriter(frame)
  let chars = 0
  let failure: AnswerFailure | null = null

  function read(data: string, isNamedError: boolean): AnswerEvent[] {
    if (WHITE_SPACE.test(data)) return []
    if (data.trim() === DONE) return reader.done()
    const event = parsed(data)
    if (isNamedError) throw providerError(event.error, event)
    return reader.read(event)
  }

  /** Some writers repeat the whole answer at its end, so its size is bounded. */
  function count(event: AnswerEvent): void {
    chars += charsOf(event)
    if (chars > charsMax)
      throw new AnswerFailed('provider_too_large', `the answer has more than ${charsMax} characters`)
  }

  function written(events: () => AnswerEvent[]): string[] {
    if (failure !== null) return []
    const lines: string[] = []
    try {
      for (const event of events()) {
        count(event)
        for (const line of writer.write(event)) lines.push(line)
      }
    } catch (error) {
      if (!(error instanceof AnswerFailed)) throw error
      failure = error.failure
    }
    return lines
  }

  return {
    push: (data, isNamedError = false) => written(() => read(data, isNamedError)),
    close: () => written(() => reader.closed()),
    get failure() {
      return failure
    },
    failureEvent: (error) => writer.failure(error),
    get dropped() {
      return dropped.names
    },
  }
}

/** What a writer keeps of an event. */
function charsOf(event: AnswerEvent): number {
  switch (event.type) {
    case 'partGrows':
      return event.text.length
    case 'partBegins':
      return event.kind === 'toolCall' ? event.id.length + event.name.length : 0
    case 'partEnds':
      return event.state?.signature?.length ?? 0
    default:
      return 0
  }
}

function parsed(data: string): JsonObject {
  const event = parseExactly(data)
  if (!isJsonObject(event)) throw brokenAnswer('an event is not a JSON object')
  return event
}
