import type { Answer } from './conversation/answer.ts'
import type { AnswerFrame } from './conversation/answerFrame.ts'
import type { Conversation } from './conversation/conversation.ts'
import type { Dropped } from './conversation/dropped.ts'
import type { StreamReader, StreamWriter } from './conversation/streamReader.ts'
import type { LeftOut } from './fields/leftOut.ts'

/** What the request to a provider needs besides the conversation. */
export type RequestOptions = {
  /** The provider's name of the model. */
  readonly model: string
  /** The limit of output tokens for an API that wants one, if the caller gives none. */
  readonly maxTokensDefault: number
  /** The field in which a provider of chat expects that limit. */
  readonly tokenLimit?: 'max_tokens' | 'max_completion_tokens'
}

/** How one API is read and written. Each is translated to and from the same model of a conversation. */
export type WireTranslation = {
  /** Throws RequestRefused. */
  readRequest(body: unknown, leftOut: LeftOut): Conversation
  /** Throws RequestRefused. */
  writeRequest(conversation: Conversation, leftOut: LeftOut, options: RequestOptions): object
  /** Throws AnswerFailed. */
  readAnswer(json: unknown, dropped: Dropped): Answer
  /** Throws AnswerFailed. */
  writeAnswer(answer: Answer, frame: AnswerFrame): object
  createStreamReader(dropped: Dropped): StreamReader
  createStreamWriter(frame: AnswerFrame): StreamWriter
}
