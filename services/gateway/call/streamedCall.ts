import type { ServerResponse } from 'node:http'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Usage } from '../../../domain/pricing/usage.ts'
import { joined } from '../../../platform/http/body/joined.ts'
import { jsonExcess } from '../../../platform/http/body/jsonScan.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { asGatewayError, envelopeOf } from '../gatewayError.ts'
import { StreamCopy } from '../idempotency/keptAnswer.ts'
import { SMALL_JSON_BYTES_MAX } from '../largeJson/largeJson.ts'
import type { RequestContext } from '../requestContext.ts'
import { withStreamModelAlias } from '../wire/answers/answerModel.ts'
import type { ProviderFault } from '../wire/answers/providerFault.ts'
import { HeldBytes } from '../wire/json/heldBytes.ts'
import { costComment } from '../wire/streams/costComment.ts'
import { createSseSplitter, type SseEvent, SseEventTooLargeError } from '../wire/streams/sseEvents.ts'
import { isNamedError } from '../wire/streams/sseOtherLines.ts'
import type { StreamFacts, StreamGate } from '../wire/streams/streamFormat.ts'
import { abandonedTokens, CHARS_PER_TOKEN } from './abandonedStreams.ts'
import { AnswerRoom } from './answerRoom.ts'
import type { BegunCall } from './beginCall.ts'
import { beginEvents, EVENT_STREAM_TYPE, endWithin, writeToClient } from './clientWriter.ts'
import { COUNTED_AS_ABANDONED } from './completeAnswer.ts'
import type { LateRead, LateReads } from './lateReads.ts'
import { answerFailed } from './providerFailure.ts'

export const PROVIDER_EVENT_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of finished choices and of the stream's end, which are held back until the charge is durable. */
export const HELD_STREAM_BYTES_MAX = 8 * 1024 * 1024
/** The event that ends a part of an answer has the whole part again. */
const EVENT_PART = { ordinaryMax: PROVIDER_EVENT_BYTES_MAX, repeats: 1 }
/** On Responses the end of the text, of its part, of its item and of the answer each have it again. */
const HELD_PART = { ordinaryMax: HELD_STREAM_BYTES_MAX, repeats: 4 }
/** The event loop turns between two pieces of what arrived together: they may hold thousands of tiny events. */
const PIECE_BYTES_MAX = 4 * 1024
/** Events up to this size are read at once if they have few values. */
const SIMPLE_EVENT_BYTES_MAX = 1024 * 1024
const SIMPLE_JSON = { valuesMax: 5_000 }

/**
 * Passes an answer in events on as they arrive. The events that complete it, such as those with a finish_reason, wait for
 * the charge, because a caller that has them has a complete answer.
 */
export async function answerStream(
  { lateReads }: Pick<GatewayDependencies, 'lateReads'>,
  context: RequestContext,
  begun: BegunCall,
): Promise<void> {
  const { response } = context
  const { record } = begun
  const copy = context.claim && new StreamCopy()
  const gate = begun.wire.stream.begin(begun.request)
  const endWithError = (error: unknown) => {
    if (response.destroyed) return
    const failed = { callId: context.callId, model: begun.request.model }
    endWithin(response, gate.failure(envelopeOf(asGatewayError(error)), failed))
  }
  beginEvents(response)
  const room = new AnswerRoom(begun.answerGrowth, begun.companyId, begun.request.bodyBytes)
  const stream = await passOn(response, begun, gate, copy, lateReads, room)
  if (stream.failure !== null) {
    const { failure, deliveredChars } = stream
    const delivered = deliveredChars / CHARS_PER_TOKEN
    // Whatever the failure: a caller that has words of an answer has them for nothing, and can bring many failures about.
    const isAbandoned = deliveredChars > 0 || COUNTED_AS_ABANDONED.has(failure)
    record.abort(failure, Math.ceil(delivered), isAbandoned ? abandonedTokens(begun.request, delivered) : null)
    room.release()
    return endWithError(answerFailed(failure, stream.fault, begun.disguise.redaction))
  }
  const ending = (creditsCharged: string) => joined([costComment(creditsCharged), stream.held])
  let creditsCharged: string
  try {
    creditsCharged = await record.charge(stream.usage, (credits) => {
      copy?.add(ending(credits))
      return { contentType: EVENT_STREAM_TYPE, bytes: copy?.whole() ?? null }
    })
  } catch (error) {
    room.release()
    return endWithError(error)
  }
  const written = writeToClient(response, ending(creditsCharged))
  // Before the wait: how long the caller takes to read is not the gateway's time.
  record.answerWritten()
  await written
  room.release()
  endWithin(response)
}

type ReadEvent = { readonly chunk: StreamFacts | null; readonly bytes: Buffer }
type ReadEvents = ReadonlyMap<SseEvent, ReadEvent>

const NONE_READ: ReadEvents = new Map()

/** A long text is cheap to read; it is many values, or very many bytes, that take long. */
function isLarge({ raw, data }: SseEvent): boolean {
  if (raw.length <= SMALL_JSON_BYTES_MAX) return false
  return raw.length > SIMPLE_EVENT_BYTES_MAX || (data !== null && jsonExcess(data, SIMPLE_JSON) !== null)
}

type PassedOn =
  | { readonly failure: string; readonly deliveredChars: number; readonly fault: ProviderFault | null }
  | { readonly failure: null; readonly usage: Usage; readonly held: Buffer }

async function passOn(
  response: ServerResponse,
  { wire, sent, answer, disguise, companyId, largeJson }: BegunCall,
  gate: StreamGate,
  copy: StreamCopy | undefined,
  lateReads: LateReads,
  room: AnswerRoom,
): Promise<PassedOn> {
  const { readEvent } = wire.stream
  const splitter = createSseSplitter({ eventBytesMax: PROVIDER_EVENT_BYTES_MAX, mayGrow: room.part(EVENT_PART) })
  const held = new HeldBytes(HELD_STREAM_BYTES_MAX, room.part(HELD_PART))
  let deliveredChars = 0
  let callerLeft = false
  /** Bytes that have arrived together are still being sorted. */
  let isSorting = false
  let failure: string | null = null
  let fault: ProviderFault | null = null

  /** Large events are read on a thread. Almost all are small, and are read by `sort` at once. */
  const readLarge = async (events: readonly SseEvent[]): Promise<ReadEvents> => {
    const read = new Map<SseEvent, ReadEvent>()
    for (const event of events) {
      if (isLarge(event)) read.set(event, await largeJson.readEvent(wire.name, event, disguise, companyId))
    }
    return read
  }

  const pass = (out: Buffer[], bytes: Buffer) => {
    out.push(bytes)
    room.delivered(bytes.length)
    copy?.add(bytes)
  }

  /** Returns the bytes that may be sent now, and holds the others back. */
  const sort = (events: readonly SseEvent[], large: ReadEvents): Buffer[] => {
    const out: Buffer[] = []
    for (const event of events) {
      const read = large.get(event)
      const chunk = read ? read.chunk : event.data && readEvent(event.data, isNamedError(event))
      if (chunk?.kind === 'invalid' || chunk?.error) {
        failure ??= 'provider_error'
        fault = chunk.fault ?? null
      }
      if (failure) break
      const bytes = read ? read.bytes : withStreamModelAlias(event, disguise)
      const verdict = gate.admit(chunk)
      if (verdict === 'release') pass(out, held.take())
      if (verdict !== 'hold') {
        pass(out, bytes)
        if (!callerLeft) deliveredChars += chunk?.deliveredChars ?? 0
      } else if (!held.add(bytes)) {
        failure ??= 'provider_too_large'
      }
    }
    return out
  }

  let lateRead: LateRead | undefined
  /** A caller that leaves ends the call, unless a choice has finished: then its usage block is awaited. */
  const afterLeaving = () => {
    if (lateRead !== undefined) return
    if (gate.isEnding) lateRead = lateReads.begin(() => sent.giveUp())
    // What has arrived is read first: a finish_reason may be in it.
    else if (!isSorting && !answer.body.hasUnread) sent.giveUp()
  }
  const onClose = () => {
    callerLeft = true
    afterLeaving()
  }
  if (response.destroyed) onClose()
  else response.once('close', onClose)
  try {
    for await (const chunk of answer.body) {
      isSorting = true
      for (let at = 0; at < chunk.length && !failure; at += PIECE_BYTES_MAX) {
        if (at > 0) await yieldToEventLoop()
        const events = splitter.push(chunk.subarray(at, at + PIECE_BYTES_MAX))
        const out = sort(events, events.some(isLarge) ? await readLarge(events) : NONE_READ)
        if (out.length > 0) await writeToClient(response, joined(out))
      }
      isSorting = false
      if (failure) break
      if (callerLeft) afterLeaving()
    }
    const { events, rest } = splitter.end()
    for (const bytes of sort(events, await readLarge(events))) await writeToClient(response, bytes)
    if (rest.length > 0) failure ??= 'provider_cut'
  } catch (error) {
    const isTooLarge = error instanceof SseEventTooLargeError
    failure ??= sent.givenUp ? 'client_left' : isTooLarge ? 'provider_too_large' : 'provider_cut'
  } finally {
    lateRead?.end()
    response.removeListener('close', onClose)
    if (failure) sent.giveUp()
  }

  const { usage, finished, sawDone } = gate.end()
  // With a usage block the answer is complete, even if the provider then omitted the end or cut the connection.
  const isWhole =
    failure === null || ((finished || sawDone) && (failure === 'client_left' || failure === 'provider_cut'))
  if (usage !== null && isWhole) return { failure: null, usage, held: held.bytes() }
  return { failure: failure ?? 'no_usage', deliveredChars, fault }
}
