import type { ServerResponse } from 'node:http'
import { SENT, type Sent } from '../../platform/http/reply.ts'
import { anyQuery, type Route, route } from '../../platform/http/route.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { type ChatRequest, chatRequest } from './chatSchema.ts'
import { openEventStream } from './eventStream.ts'
import type { Generated } from './generated.ts'
import { modelProviderEnvelope } from './modelProviderEnvelope.ts'
import { modelRequestBody } from './modelRequestBody.ts'
import { replyTo } from './reply.ts'

export function chatCompletions({ clock, ids }: Pick<Runtime, 'clock' | 'ids'>): Route {
  return route({
    method: 'POST',
    path: '/v1/chat/completions',
    access: 'public',
    summary: 'A chat completion, whole or streamed',
    query: anyQuery,
    body: modelRequestBody(chatRequest),
    envelope: modelProviderEnvelope,
    handle: ({ body: chat, response }) => {
      const reply = replyTo(chat)
      const head = {
        id: `chatcmpl-${ids.uuid()}`,
        created: Math.floor(clock.now() / 1000),
        model: chat.model,
        system_fingerprint: 'tollgate-sandbox',
      }
      if (chat.stream) return stream(response, chat, reply, { ...head, object: 'chat.completion.chunk' })
      return {
        ...head,
        object: 'chat.completion',
        choices: choicesOf(chat).map((index) => ({
          index,
          message: { role: 'assistant', content: reply.pieces.join('') },
          logprobs: null,
          finish_reason: reply.finishReason,
        })),
        usage: usageOf(chat, reply),
      }
    },
  })
}

async function stream(response: ServerResponse, chat: ChatRequest, reply: Generated, head: object): Promise<Sent> {
  const events = openEventStream(response)
  const send = (delta: object, finish: string | null) =>
    events.send({
      ...head,
      choices: choicesOf(chat).map((index) => ({ index, delta, logprobs: null, finish_reason: finish })),
    })
  await send({ role: 'assistant', content: '' }, null)
  for (const content of reply.pieces) await send({ content }, null)
  await send({}, reply.finishReason)
  if (chat.stream_options?.include_usage) await events.send({ ...head, choices: [], usage: usageOf(chat, reply) })
  events.end()
  return SENT
}

function choicesOf(chat: ChatRequest): number[] {
  return Array.from({ length: chat.n ?? 1 }, (_, index) => index)
}

function usageOf(chat: ChatRequest, reply: Generated) {
  const completion = reply.tokensOut * (chat.n ?? 1)
  return { prompt_tokens: reply.tokensIn, completion_tokens: completion, total_tokens: reply.tokensIn + completion }
}
