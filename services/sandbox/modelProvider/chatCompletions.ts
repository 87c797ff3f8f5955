import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from '../../platform/http/answers.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { type ChatRequest, chatRequest } from './chatSchema.ts'
import { openEventStream } from './eventStream.ts'
import type { Generated } from './generated.ts'
import { readRequest } from './readRequest.ts'
import { replyTo } from './reply.ts'

/** `POST /v1/chat/completions` as the sandbox's model provider answers it, whole or streamed. */
export async function chatCompletions(
  request: IncomingMessage,
  response: ServerResponse,
  { clock, ids }: Pick<Runtime, 'clock' | 'ids'>,
): Promise<void> {
  const chat = await readRequest(request, response, chatRequest)
  if (!chat) return
  const reply = replyTo(chat)
  const head = {
    id: `chatcmpl-${ids.uuid()}`,
    created: Math.floor(clock.now() / 1000),
    model: chat.model,
    system_fingerprint: 'tollgate-sandbox',
  }
  if (chat.stream) return stream(response, chat, reply, { ...head, object: 'chat.completion.chunk' })
  sendJson(response, 200, {
    ...head,
    object: 'chat.completion',
    choices: choicesOf(chat).map((index) => ({
      index,
      message: { role: 'assistant', content: reply.pieces.join('') },
      logprobs: null,
      finish_reason: reply.finishReason,
    })),
    usage: usageOf(chat, reply),
  })
}

async function stream(response: ServerResponse, chat: ChatRequest, reply: Generated, head: object): Promise<void> {
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
}

function choicesOf(chat: ChatRequest): number[] {
  return Array.from({ length: chat.n ?? 1 }, (_, index) => index)
}

function usageOf(chat: ChatRequest, reply: Generated) {
  const completion = reply.tokensOut * (chat.n ?? 1)
  return { prompt_tokens: reply.tokensIn, completion_tokens: completion, total_tokens: reply.tokensIn + completion }
}
