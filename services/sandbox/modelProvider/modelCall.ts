import type { z } from 'zod'
import type { Envelope } from '../../../platform/http/route.ts'

/** What every answer of a model says of itself. */
export type AnswerFacts = { readonly uuid: string; readonly createdSeconds: number }

/** A whole answer, or the events of a streamed one. */
export type ModelAnswer = ({ readonly whole: object } | { readonly events: Iterable<object> }) & {
  /** The wait before a whole answer, or before each event. */
  readonly delayMs?: number
}

/** One kind of call to the model provider. Nothing of it depends on the thread that it is answered on. */
export type ModelCall<Schema extends z.ZodType = z.ZodType> = {
  readonly path: string
  readonly summary: string
  readonly schema: Schema
  /** The events of a stream are named by their type, and the last one is not followed by `[DONE]`. */
  readonly namesEvents?: true
  /** How it words an error, where that differs from the chat-completion wire. */
  readonly envelope?: Envelope
  /** Whether a request takes long to answer although its body is small. */
  isLong(request: z.infer<Schema>): boolean
  /** Throws an HttpError when the request cannot be answered. */
  answer(request: z.infer<Schema>, facts: AnswerFacts): ModelAnswer
}

/** Infers the type of the request from the schema. */
export function modelCall<Schema extends z.ZodType>(call: ModelCall<Schema>): ModelCall {
  return call as unknown as ModelCall
}
