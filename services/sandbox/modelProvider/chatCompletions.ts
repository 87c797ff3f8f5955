import { requireAnswerChars } from './answerSize.ts'
import { type ChatRequest, chatRequest, textOf } from './chatSchema.ts'
import { modelCall } from './modelCall.ts'
import type { Answer } from './question.ts'
import { replyTo } from './reply.ts'
import { isLongWish } from './wishes.ts'

export const chatCompletions = modelCall({
  path: '/v1/chat/completions',
  summary: 'A chat completion, whole or streamed',
  schema: chatRequest,
  isLong: ({ messages }) => isLongWish(textOf(messages.at(-1)?.content)),
  answer: (chat, { uuid, createdSeconds }) => {
    const reply = replyTo(chat)
    const { delayMs } = reply
    const head = {
      id: `chatcmpl-${uuid}`,
      created: createdSeconds,
      model: chat.model,
      system_fingerprint: 'tollgate-sandbox',
    }
    if (chat.stream) return { delayMs, events: eventsOf(chat, reply, { ...head, object: 'chat.completion.chunk' }) }
    const content = reply.pieces.join('')
    const choices = choicesOf(chat)
    requireAnswerChars(content.length * choices.length)
    return {
      delayMs,
      whole: {
        ...head,
        object: 'chat.completion',
        choices: choices.map((index) => ({
          index,
          message:
            reply.tool === null
              ? { role: 'assistant', content }
              : { role: 'assistant', content: null, tool_calls: [toolCall(head.id, reply.tool, content)] },
          logprobs: null,
          finish_reason: finishReasonOf(reply),
        })),
        usage: usageOf(chat, reply),
      },
    }
  },
})

function* eventsOf(
  chat: ChatRequest,
  reply: Answer,
  head: { readonly id: string; readonly object: string },
): Generator<object> {
  const choices = choicesOf(chat)
  const event = (delta: object, finish: string | null) => ({
    ...head,
    choices: choices.map((index) => ({ index, delta, logprobs: null, finish_reason: finish })),
  })
  if (reply.tool === null) {
    yield event({ role: 'assistant', content: '' }, null)
    for (const content of reply.pieces) yield event({ content }, null)
  } else {
    const begun = { index: 0, ...toolCall(head.id, reply.tool, '') }
    yield event({ role: 'assistant', content: null, tool_calls: [begun] }, null)
    for (const piece of reply.pieces) {
      yield event({ tool_calls: [{ index: 0, function: { arguments: piece } }] }, null)
    }
  }
  yield event({}, finishReasonOf(reply))
  if (chat.stream_options?.include_usage) yield { ...head, choices: [], usage: usageOf(chat, reply) }
}

function toolCall(id: string, name: string, args: string): object {
  return { id: `call_${id.slice('chatcmpl-'.length)}`, type: 'function', function: { name, arguments: args } }
}

function finishReasonOf({ tool, finishReason }: Answer): string {
  return tool === null ? finishReason : 'tool_calls'
}

function choicesOf(chat: ChatRequest): number[] {
  return Array.from({ length: chat.n ?? 1 }, (_, index) => index)
}

function usageOf(chat: ChatRequest, reply: Answer) {
  const completion = reply.tokensOut * (chat.n ?? 1)
  return { prompt_tokens: reply.tokensIn, completion_tokens: completion, total_tokens: reply.tokensIn + completion }
}
