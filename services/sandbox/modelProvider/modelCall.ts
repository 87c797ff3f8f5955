import type { z } from 'zod'

/** What every answer of a model says of itself. */
export type AnswerFacts = { readonly uuid: string; readonly createdSeconds: number }

/** A whole answer, or the events of a streamed one. */
export type ModelAnswer = { readonly whole: object } | { readonly events: Iterable<object> }

/** One kind of call to the model provider. Nothing of it depends on the thread that it is answered on. */
export type ModelCall<Schema extends z.ZodType = z.ZodType> = {
  readonly path: string
  readonly summary: string
  readonly schema: Schema
  /** Whether a request takes long to answer although its body is small. */
  isLong(request: z.infer<Schema>): boolean
  /** Throws an HttpError when the request cannot be answered. */
  answer(request: z.infer<Schema>, facts: AnswerFacts): ModelAnswer
}

/** Infers the type of the request from the schema. */
export function modelCall<Schema extends z.ZodType>(call: ModelCall<Schema>): ModelCall {
  return call as unknown as ModelCall
}
