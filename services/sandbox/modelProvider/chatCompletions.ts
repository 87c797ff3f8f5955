import { requireAnswerChars } from './answerSize.ts'
import { type ChatRequest, chatRequest } from './chatSchema.ts'
import type { Generated } from './generated.ts'
import { modelCall } from './modelCall.ts'
import { replyTo } from './reply.ts'

export const chatCompletions = modelCall({
  path: '/v1/chat/completions',
  summary: 'A chat completion, whole or streamed',
  schema: chatRequest,
  isLong: () => false,
  answer: (chat, { uuid, createdSeconds }) => {
    const reply = replyTo(chat)
    const head = {
      id: `chatcmpl-${uuid}`,
      created: createdSeconds,
      model: chat.model,
      system_fingerprint: 'tollgate-sandbox',
    }
    if (chat.stream) return { events: eventsOf(chat, reply, { ...head, object: 'chat.completion.chunk' }) }
    const content = reply.pieces.join('')
    const choices = choicesOf(chat)
    requireAnswerChars(content.length * choices.length)
    return {
      whole: {
        ...head,
        object: 'chat.completion',
        choices: choices.map((index) => ({
          index,
          message: { role: 'assistant', content },
          logprobs: null,
          finish_reason: reply.finishReason,
        })),
        usage: usageOf(chat, reply),
      },
    }
  },
})

function* eventsOf(chat: ChatRequest, reply: Generated, head: object): Generator<object> {
  const choices = choicesOf(chat)
  const event = (delta: object, finish: string | null) => ({
    ...head,
    choices: choices.map((index) => ({ index, delta, logprobs: null, finish_reason: finish })),
  })
  yield event({ role: 'assistant', content: '' }, null)
  for (const content of reply.pieces) yield event({ content }, null)
  yield event({}, reply.finishReason)
  if (chat.stream_options?.include_usage) yield { ...head, choices: [], usage: usageOf(chat, reply) }
}

function choicesOf(chat: ChatRequest): number[] {
  return Array.from({ length: chat.n ?? 1 }, (_, index) => index)
}

function usageOf(chat: ChatRequest, reply: Generated) {
  const completion = reply.tokensOut * (chat.n ?? 1)
  return { prompt_tokens: reply.tokensIn, completion_tokens: completion, total_tokens: reply.tokensIn + completion }
}
