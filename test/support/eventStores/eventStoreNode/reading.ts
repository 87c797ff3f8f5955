import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import { type ServerWritableStream, status } from '@grpc/grpc-js'
import { DEFAULT_FILTER, eventFilter } from './eventFilter.ts'
import type { EventLog, LoggedEvent } from './eventLog.ts'
import { confirmation, eventMessage, type Send, streamNameOf, streamNotFound } from './messages.ts'
import { type AllSubscription, followAll } from './subscription.ts'

type ReadCall = ServerWritableStream<streamsPb.ReadReq, streamsPb.ReadResp>
type Options = streamsPb.ReadReq.Options

/** Services/Transport/Enumerators/Enumerator.cs. */
const READ_BATCH_SIZE = 32

export type ReadOptions = {
  onEventSent(): void
  /** How many of the newest events subscriptions lag behind. */
  behind(): number
}

/** Services/Transport/Grpc/Streams.Read.cs, CreateEnumerator: a stream or $all, so many events or a subscription. */
export async function read(log: EventLog, call: ReadCall, { onEventSent, behind }: ReadOptions): Promise<void> {
  const ended = new AbortController()
  call.on('cancelled', () => ended.abort())
  call.on('error', () => ended.abort())
  call.on('close', () => ended.abort())
  const send: Send = async (message) => {
    if (ended.signal.aborted) return
    if (message.hasEvent()) onEventSent()
    if (call.write(message)) return
    // Applies backpressure from a slow reader.
    await once(call, 'drain', { signal: ended.signal }).catch(() => {})
  }
  const options = call.request.getOptions()
  if (!options?.hasUuidOption()) {
    call.emit('error', { code: status.INVALID_ARGUMENT, details: "'uuidOption' must be provided" })
    return
  }
  if (options.hasSubscription()) {
    await send(confirmation(randomUUID()))
    await followAll(log, { ...subscriptionOf(options), behind }, send, ended.signal)
  } else {
    const events = options.hasStream() ? eventsOfStream(log, options) : eventsOfAll(log, options)
    if (events === null) await send(streamNotFound(streamNameOf(options.getStream()?.getStreamIdentifier())))
    for (const event of events ?? []) {
      if (ended.signal.aborted) return
      await send(eventMessage(event))
    }
  }
  call.end()
}

/** Enumerator.ReadStreamForwards.cs and ReadStreamBackwards.cs. Null: there is no such stream. */
function eventsOfStream(log: EventLog, options: Options): LoggedEvent[] | null {
  const stream = options.getStream()
  const events = log.stream(streamNameOf(stream?.getStreamIdentifier()))
  if (events.length === 0) return null
  const count = Number(options.getCount())
  const backwards = options.getReadDirection() === 1
  if (!backwards) {
    const from = stream?.hasRevision() ? Number(stream.getRevision()) : stream?.hasEnd() ? events.length : 0
    return events.slice(from, from + count)
  }
  const from = stream?.hasRevision() ? Number(stream.getRevision()) : stream?.hasStart() ? 0 : events.length - 1
  const upTo = Math.min(from, events.length - 1) + 1
  return events.slice(Math.max(0, upTo - count), upTo).reverse()
}

/** Services/Storage/ReaderIndex/AllReader.cs: forwards from the position, backwards before it. */
function eventsOfAll(log: EventLog, options: Options): LoggedEvent[] {
  const all = options.getAll()
  const count = Number(options.getCount())
  const position = all?.hasPosition() ? Number(all.getPosition()?.getCommitPosition()) : null
  const chosen = options.getFilter()
  const filter = chosen ? eventFilter(chosen) : DEFAULT_FILTER
  if (options.getReadDirection() === 1) {
    const upTo = position === null ? (all?.hasStart() ? 0 : log.all.length) : log.indexFrom(position)
    return log.all.slice(0, upTo).filter(filter).reverse().slice(0, count)
  }
  const from = position === null ? (all?.hasEnd() ? log.all.length : 0) : log.indexFrom(position)
  return log.all.slice(from).filter(filter).slice(0, count)
}

function subscriptionOf(options: Options): Omit<AllSubscription, 'behind'> {
  const all = options.getAll()
  const at = all?.getPosition()
  const from = at ? { commit: BigInt(at.getCommitPosition()), prepare: BigInt(at.getPreparePosition()) } : null
  const filter = options.getFilter()
  if (!filter)
    return { from, atEnd: all?.hasEnd() ?? false, filter: DEFAULT_FILTER, window: null, checkpointEvery: null }
  const window = filter.hasMax() ? filter.getMax() : READ_BATCH_SIZE
  return {
    from,
    atEnd: all?.hasEnd() ?? false,
    filter: eventFilter(filter),
    window,
    checkpointEvery: window * filter.getCheckpointintervalmultiplier(),
  }
}
