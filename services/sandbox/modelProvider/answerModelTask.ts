import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { asBuffer, type Bytes, ownMemory } from '../../../platform/threads/ownMemory.ts'
import { requireAnswerChars } from './answerSize.ts'
import { sseEvent } from './eventStream.ts'
import type { AnswerFacts, ModelCall } from './modelCall.ts'
import { MODEL_CALLS, type ModelCallName } from './modelCalls.ts'
import { readModelRequest } from './readModelRequest.ts'

/** A request as it was received. */
export type ModelTask = { readonly call: ModelCallName; readonly bytes: Bytes; readonly facts: AnswerFacts }

/** The bytes of an answer, or of all events of a streamed one but the last; or why there is none. */
export type ModelTaskResult =
  | { readonly whole: Bytes }
  | { readonly events: Bytes }
  | { readonly refused: { readonly status: number; readonly message: string } }

/** A request that is large or takes long, on a thread. Only bytes come back, because an object would be copied. */
export function answerModelTask({ call: name, bytes, facts }: ModelTask): ModelTaskResult {
  const call = MODEL_CALLS[name]
  try {
    const answer = call.answer(readModelRequest(call, asBuffer(bytes)), facts)
    if ('whole' in answer) return { whole: ownMemory(Buffer.from(JSON.stringify(answer.whole))) }
    return { events: ownMemory(joinedEvents(call, answer.events)) }
  } catch (error) {
    if (error instanceof HttpError) return { refused: { status: error.status, message: error.message } }
    throw error
  }
}

function joinedEvents(call: ModelCall, events: Iterable<object>): Buffer {
  const texts: string[] = []
  let chars = 0
  for (const event of events) {
    const text = sseEvent(event, call)
    chars += text.length
    requireAnswerChars(chars)
    texts.push(text)
  }
  return Buffer.from(texts.join(''))
}
