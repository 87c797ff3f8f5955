import type { ServerResponse } from 'node:http'
import type { Runtime } from '../../../capabilities/installation.ts'
import { REQUEST_BODY_BYTES_MAX, REQUEST_JSON_MEMBERS_MAX, REQUEST_JSON_VALUES_MAX } from '../../../contracts/limits.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { JSON_TYPE } from '../../../platform/http/answer/answers.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { Reply, SENT, type Sent } from '../../../platform/http/answer/reply.ts'
import { bytesBody } from '../../../platform/http/body/bodyReaders.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import { asBuffer, ownMemory } from '../../../platform/threads/ownMemory.ts'
import type { SandboxThreads } from '../threads/sandboxThreads.ts'
import { openEventStream } from './eventStream.ts'
import type { AnswerFacts, ModelAnswer, ModelCall } from './modelCall.ts'
import { MODEL_CALLS, type ModelCallName } from './modelCalls.ts'
import { modelProviderEnvelope } from './modelProviderEnvelope.ts'
import { readModelRequest } from './readModelRequest.ts'

/** A body of up to this size is read within milliseconds, whatever it contains. */
const SMALL_BODY_BYTES_MAX = 64 * 1024
/** The limits that the gateway has too. */
const JSON_LIMITS = { valuesMax: REQUEST_JSON_VALUES_MAX, membersMax: REQUEST_JSON_MEMBERS_MAX }

export type ModelThreads = Pick<SandboxThreads, 'run'>

/** Small requests are answered at once, others on a thread: the sandbox may share its event loop with a gateway. */
export function modelRoute(
  name: ModelCallName,
  { clock, ids }: Pick<Runtime, 'clock' | 'ids'>,
  threads: ModelThreads,
): Route {
  const call = MODEL_CALLS[name]
  return route({
    method: 'POST',
    path: call.path,
    access: 'public',
    summary: call.summary,
    query: anyQuery,
    body: bytesBody({ 'application/json': { schema: call.schema } }, REQUEST_BODY_BYTES_MAX, JSON_LIMITS),
    envelope: call.envelope ?? modelProviderEnvelope,
    handle: ({ body, response }) => {
      const facts = { uuid: ids.uuid(), createdSeconds: Math.floor(clock.now() / 1000) }
      if (body.length > SMALL_BODY_BYTES_MAX) return answerOnThread(threads, name, body, facts, response)
      const request = readModelRequest(call, body)
      if (call.isLong(request)) return answerOnThread(threads, name, body, facts, response)
      return sent(clock, response, call, call.answer(request, facts))
    },
  })
}

function sent(
  clock: Clock,
  response: ServerResponse,
  call: ModelCall,
  answer: ModelAnswer,
): object | Promise<object | Sent> {
  const { delayMs = 0 } = answer
  if ('events' in answer) return stream(clock, response, call, answer.events, delayMs)
  return delayMs === 0 ? answer.whole : clock.delay(delayMs).then(() => answer.whole)
}

async function stream(
  clock: Clock,
  response: ServerResponse,
  call: ModelCall,
  events: Iterable<object>,
  delayMs: number,
): Promise<Sent> {
  const opened = openEventStream(response, call)
  for (const event of events) {
    if (delayMs > 0) await clock.delay(delayMs)
    if (response.destroyed) break
    await opened.send(event)
  }
  opened.end()
  return SENT
}

async function answerOnThread(
  threads: ModelThreads,
  call: ModelCallName,
  body: Buffer,
  facts: AnswerFacts,
  response: ServerResponse,
): Promise<Reply | Sent> {
  const bytes = ownMemory(body)
  const answer = await threads.run('model', { call, bytes, facts }, [bytes.buffer])
  if ('refused' in answer) throw new HttpError(answer.refused.status, answer.refused.message)
  if ('whole' in answer) return new Reply(200, JSON_TYPE, asBuffer(answer.whole))
  const opened = openEventStream(response, MODEL_CALLS[call])
  await opened.write(asBuffer(answer.events))
  opened.end()
  return SENT
}
