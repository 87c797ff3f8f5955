import type { ServerResponse } from 'node:http'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { joined } from '../../../platform/http/body/joined.ts'
import { jsonExcess } from '../../../platform/http/body/jsonScan.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { asGatewayError, envelopeOf } from '../gatewayError.ts'
import { StreamCopy } from '../idempotency/keptAnswer.ts'
import { SMALL_JSON_BYTES_MAX } from '../largeJson/largeJson.ts'
import type { RequestContext } from '../requestContext.ts'
import { withStreamModelAlias } from '../wire/answers/answerModel.ts'
import { HeldBytes } from '../wire/json/heldBytes.ts'
import { createSseSplitter, type SseEvent, SseEventTooLargeError, type SseSplitter } from '../wire/streams/sseEvents.ts'
import { isNamedError } from '../wire/streams/sseOtherLines.ts'
import type { StreamFacts, StreamGate } from '../wire/streams/streamFormat.ts'
import { abandonedTokens, CHARS_PER_TOKEN } from './abandonedStreams.ts'
import { AnswerRoom } from './answerRoom.ts'
import type { BegunCall } from './beginCall.ts'
import { beginEvents, EVENT_STREAM_TYPE, endWithin, writeToClient } from './clientWriter.ts'
import { COUNTED_AS_ABANDONED } from './completeAnswer.ts'
import type { LateRead, LateReads } from './lateReads.ts'
import { answerFailed } from './providerFailure.ts'
import {
  evolve,
  PASSAGE_BEGUN,
  type PassageEvent,
  type PassedStream,
  passedStream,
  type StreamFailure,
} from './streamPassage.ts'

export const PROVIDER_EVENT_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of finished choices and of the stream's end, which are held back until the charge is durable. */
export const HELD_STREAM_BYTES_MAX = 8 * 1024 * 1024
/** The event that ends a part of an answer repeats the whole part. */
const EVENT_PART = { ordinaryMax: PROVIDER_EVENT_BYTES_MAX, repeats: 1 }
/** On Responses, the text is repeated at the end of the text, its part, its item and the answer. */
const HELD_PART = { ordinaryMax: HELD_STREAM_BYTES_MAX, repeats: 4 }
/** Received bytes are split into pieces with a turn of the event loop between them: they may hold thousands of tiny events. */
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
  const splitter = createSseSplitter({ eventBytesMax: PROVIDER_EVENT_BYTES_MAX, mayGrow: room.part(EVENT_PART) })
  const sorter = createEventSorter(begun, gate, copy, room)
  const stream = await passOn(response, begun, { gate, splitter, sorter, lateReads })
  if (stream.failure !== null) {
    const { failure, deliveredChars } = stream
    const { reason, fault } = failure
    const delivered = deliveredChars / CHARS_PER_TOKEN
    // Whatever the failure: the caller keeps what was delivered for free, and can cause many failures itself.
    const isAbandoned = deliveredChars > 0 || COUNTED_AS_ABANDONED.has(reason)
    record.abort(reason, Math.ceil(delivered), isAbandoned ? abandonedTokens(begun.request, delivered) : null)
    room.release()
    return endWithError(answerFailed(reason, fault, begun.disguise.redaction))
  }
  const ending = (creditsCharged: string) => joined([costComment(creditsCharged), sorter.held.bytes()])
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
  // Before the wait, because the time that the caller takes to read is not the gateway's.
  record.answerWritten()
  await written
  room.release()
  endWithin(response)
}

type ReadEvent = { readonly chunk: StreamFacts | null; readonly bytes: Buffer }
type ReadEvents = ReadonlyMap<SseEvent, ReadEvent>

const NONE_READ: ReadEvents = new Map()

/** A long text is cheap to parse; many values or very many bytes are not. */
function isLarge({ raw, data }: SseEvent): boolean {
  if (raw.length <= SMALL_JSON_BYTES_MAX) return false
  return raw.length > SIMPLE_EVENT_BYTES_MAX || (data !== null && jsonExcess(data, SIMPLE_JSON) !== null)
}

type SortedEvents = {
  readonly sendNow: Buffer[]
  readonly deliveredChars: number
  /** Set if the stream cannot continue; later events were not read. */
  readonly failure: StreamFailure | null
}

type EventSorter = ReturnType<typeof createEventSorter>

/** Sorts the events of a stream into those that may be sent now and those that wait for the charge. */
function createEventSorter(
  { wire, disguise, companyId, largeJson }: BegunCall,
  gate: StreamGate,
  copy: StreamCopy | undefined,
  room: AnswerRoom,
) {
  const held = new HeldBytes(HELD_STREAM_BYTES_MAX, room.part(HELD_PART))
  const pass = (out: Buffer[], bytes: Buffer) => {
    out.push(bytes)
    room.delivered(bytes.length)
    copy?.add(bytes)
  }
  return {
    held,

    /** Large events are read on a thread. Almost all are small, and are read by `sort` at once. */
    async readLarge(events: readonly SseEvent[]): Promise<ReadEvents> {
      const read = new Map<SseEvent, ReadEvent>()
      for (const event of events) {
        if (isLarge(event)) read.set(event, await largeJson.readEvent(wire.name, event, disguise, companyId))
      }
      return read
    },

    sort(events: readonly SseEvent[], large: ReadEvents): SortedEvents {
      const sendNow: Buffer[] = []
      let deliveredChars = 0
      for (const event of events) {
        const read = large.get(event)
        const chunk = read ? read.chunk : event.data && wire.stream.readEvent(event.data, isNamedError(event))
        if (chunk?.kind === 'invalid' || chunk?.error) {
          return { sendNow, deliveredChars, failure: { reason: 'provider_error', fault: chunk.fault ?? null } }
        }
        const bytes = read ? read.bytes : withStreamModelAlias(event, disguise)
        const verdict = gate.admit(chunk)
        if (verdict === 'release') pass(sendNow, held.take())
        if (verdict !== 'hold') {
          pass(sendNow, bytes)
          deliveredChars += chunk?.deliveredChars ?? 0
        } else if (!held.add(bytes)) {
          return { sendNow, deliveredChars, failure: { reason: 'provider_too_large', fault: null } }
        }
      }
      return { sendNow, deliveredChars, failure: null }
    },
  }
}

type StreamParts = {
  readonly gate: StreamGate
  readonly splitter: SseSplitter
  readonly sorter: EventSorter
  readonly lateReads: LateReads
}

/** Reads the stream to its end, or until it fails, and sends what may be sent. */
async function passOn(
  response: ServerResponse,
  { sent, answer, drain, tokensOutMax }: BegunCall,
  { gate, splitter, sorter, lateReads }: StreamParts,
): Promise<PassedStream> {
  let passage = PASSAGE_BEGUN
  let lateRead: LateRead | undefined
  let writtenChars = 0
  const on = (event: PassageEvent) => {
    const { status } = passage
    passage = evolve(passage, event)
    if (passage.status === status) return
    const giveUp = () => on({ type: 'usageOverdue' })
    if (passage.status === 'awaitingUsage') lateRead = lateReads.begin(giveUp)
    else if (passage.status === 'draining') lateRead = lateReads.begin(giveUp, null)
    else if (passage.status === 'givenUp') sent.giveUp()
  }
  const hasFailed = () => passage.status === 'failed'
  const whatIsLeft = () => ({ isEnding: gate.isEnding, hasUnread: answer.body.hasUnread })
  const sort = (events: readonly SseEvent[], large: ReadEvents) => {
    const { sendNow, deliveredChars, failure } = sorter.sort(events, large)
    on({ type: 'eventsPassed', deliveredChars })
    if (failure) on({ type: 'failed', ...failure })
    writtenChars += deliveredChars
    // A provider that ignores the limit of the request would otherwise be read for nobody without end.
    if (passage.status === 'draining' && writtenChars / CHARS_PER_TOKEN > tokensOutMax) on({ type: 'usageOverdue' })
    return sendNow
  }

  const onClose = () => on({ type: 'callerLeft', drains: drain !== null, ...whatIsLeft() })
  if (response.destroyed) onClose()
  else response.once('close', onClose)
  try {
    for await (const chunk of answer.body) {
      on({ type: 'bytesArrived' })
      for (let at = 0; at < chunk.length && !hasFailed(); at += PIECE_BYTES_MAX) {
        if (at > 0) await yieldToEventLoop()
        const events = splitter.push(chunk.subarray(at, at + PIECE_BYTES_MAX))
        const out = sort(events, events.some(isLarge) ? await sorter.readLarge(events) : NONE_READ)
        if (out.length > 0) await writeToClient(response, joined(out))
      }
      if (hasFailed()) break
      on({ type: 'bytesSorted', ...whatIsLeft() })
    }
    const { events, rest } = splitter.end()
    if (!hasFailed()) {
      for (const bytes of sort(events, await sorter.readLarge(events))) await writeToClient(response, bytes)
    }
    if (rest.length > 0) on({ type: 'failed', reason: 'provider_cut', fault: null })
  } catch (error) {
    const isTooLarge = error instanceof SseEventTooLargeError
    const reason = sent.givenUp ? 'client_left' : isTooLarge ? 'provider_too_large' : 'provider_cut'
    on({ type: 'failed', reason, fault: null })
  } finally {
    lateRead?.end()
    response.removeListener('close', onClose)
    if (hasFailed()) sent.giveUp()
  }
  return passedStream(passage, gate.end())
}

/**
 * The cost of a stream as an SSE comment, which clients skip. It precedes the first event that waited for the charge. The
 * blank line ends it, so that it can precede any event.
 */
function costComment(creditsCharged: string): Buffer {
  return Buffer.from(`: x-credits-charged ${creditsCharged}\n\n`)
}
