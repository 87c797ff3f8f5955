import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'

/** What an answer says besides what the model says. It is the gateway's own, so that no name of a provider gets through. */
export type AnswerFrame = {
  readonly callId: string
  /** The alias. */
  readonly model: string
  /** In seconds. */
  readonly createdAt: number
  /** The caller's request, parts of which the answers of Responses repeat. */
  readonly request: JsonObject
}
