import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LIMITS } from '../../../contracts/limits.ts'
import { sendJson } from '../../platform/http/answers.ts'
import { readBody } from '../../platform/http/requestBody.ts'
import { type ChatRequest, chatRequest } from './chatRequest.ts'
import { type Reply, replyTo } from './reply.ts'

/** `POST /v1/chat/completions` as the sandbox's model provider answers it, whole or streamed. */
export async function chatCompletions(
  request: IncomingMessage,
  response: ServerResponse,
  nowMs: number,
): Promise<void> {
  const body = await readBody(request, LIMITS.requestBodyBytesMax)
  const parsed = Buffer.isBuffer(body) ? chatRequest.safeParse(parseJson(body)) : null
  if (!parsed?.success) {
    const issue = parsed?.error.issues[0]
    const message = `sandbox: ${issue ? `${issue.path.join('.')}: ${issue.message}` : 'the body cannot be read'}`
    return sendJson(response, 400, { error: { message, type: 'invalid_request_error', code: null } })
  }
  const chat = parsed.data
  const reply = replyTo(chat)
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(nowMs / 1000), model: chat.model }
  if (chat.stream) return stream(response, chat, reply, { ...head, object: 'chat.completion.chunk' })
  sendJson(response, 200, {
    ...head,
    object: 'chat.completion',
    system_fingerprint: 'tollgate-sandbox',
    choices: choicesOf(chat).map((index) => ({
      index,
      message: { role: 'assistant', content: reply.pieces.join('') },
      logprobs: null,
      finish_reason: reply.finishReason,
    })),
    usage: usageOf(chat, reply),
  })
}

async function stream(response: ServerResponse, chat: ChatRequest, reply: Reply, head: object): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  const send = async (chunk: object) => {
    if (!response.write(`data: ${JSON.stringify({ ...head, system_fingerprint: 'tollgate-sandbox', ...chunk })}\n\n`)) {
      await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
  }
  const all = (delta: object, finish: string | null) =>
    choicesOf(chat).map((index) => ({ index, delta, logprobs: null, finish_reason: finish }))
  await send({ choices: all({ role: 'assistant', content: '' }, null) })
  for (const content of reply.pieces) {
    if (response.destroyed) return
    await send({ choices: all({ content }, null) })
  }
  await send({ choices: all({}, reply.finishReason) })
  if (chat.stream_options?.include_usage) await send({ choices: [], usage: usageOf(chat, reply) })
  response.end('data: [DONE]\n\n')
}

function choicesOf(chat: ChatRequest): number[] {
  return Array.from({ length: chat.n ?? 1 }, (_, index) => index)
}

function usageOf(chat: ChatRequest, reply: Reply) {
  const completion = reply.tokensOut * (chat.n ?? 1)
  return { prompt_tokens: reply.tokensIn, completion_tokens: completion, total_tokens: reply.tokensIn + completion }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
