import type { ServerResponse } from 'node:http'
import { type ReceivedCall, type Script, whole } from './scriptedProvider.ts'

export type ModelAnswers = {
  /** The judgement for the text of a question. */
  readonly judgement?: (question: string) => { adjustment: number | null; reason: string | null }
  /** The vector of a text. */
  readonly vector?: (text: string) => readonly number[]
  readonly chat?: (question: string) => string
}

type ModelRequest = {
  readonly input?: readonly string[]
  readonly messages?: readonly { readonly content: string }[]
  readonly response_format?: object
}

/** A provider that answers each kind of background question at once. */
export function modelScript({
  judgement = () => ({ adjustment: 0, reason: null }),
  vector = () => [1, 0],
  chat = () => 'Good day.',
}: ModelAnswers = {}): Script {
  return (response: ServerResponse, call: ReceivedCall) => {
    const request = JSON.parse(call.body.toString()) as ModelRequest
    if (request.input) {
      const data = request.input.map((text, index) => ({ object: 'embedding', index, embedding: vector(text) }))
      return whole({ object: 'list', data, usage: { prompt_tokens: 7, total_tokens: 7 } })(response, call)
    }
    const question = request.messages?.at(-1)?.content ?? ''
    const content = request.response_format ? JSON.stringify(judgement(question)) : chat(question)
    const usage = { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45 }
    return whole({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage })(
      response,
      call,
    )
  }
}

export const isJudgement = ({ body }: ReceivedCall) => body.includes('response_format')
export const isEmbedding = ({ path }: ReceivedCall) => path.endsWith('/embeddings')
