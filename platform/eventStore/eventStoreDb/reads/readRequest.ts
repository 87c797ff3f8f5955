import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import type { ReadStreamOptions } from '../../port.ts'
import { commitOf } from '../commitPosition.ts'

const { Options } = streamsPb.ReadReq
const FORWARDS = 0
const BACKWARDS = 1
const NO_LIMIT = String(Number.MAX_SAFE_INTEGER)
/** Events that the server looks at between two checkpoints of a filtered subscription. */
const EVENTS_PER_CHECKPOINT = 1_000

/** The stream's name is the one that it has on the server. */
export function streamRequest(stream: string, { direction, from, limit }: ReadStreamOptions): streamsPb.ReadReq {
  const backwards = direction === 'backwards'
  const identifier = new sharedPb.StreamIdentifier()
  identifier.setStreamName(Buffer.from(stream).toString('base64'))
  const chosen = new Options.StreamOptions()
  chosen.setStreamIdentifier(identifier)
  if (from !== undefined) chosen.setRevision(String(Math.max(0, from)))
  else if (backwards) chosen.setEnd(empty())
  else chosen.setStart(empty())
  const options = unfiltered(backwards ? BACKWARDS : FORWARDS)
  options.setStream(chosen)
  options.setCount(limit === undefined ? NO_LIMIT : String(limit))
  return requestOf(options)
}

/** Stored events from the position on, of streams with one of the prefixes. */
export function filteredRequest(position: Position, prefixes: readonly string[], limit: number): streamsPb.ReadReq {
  const options = unfiltered(FORWARDS)
  options.setAll(from(position))
  options.setFilter(streamFilter(prefixes))
  options.setCount(String(limit))
  return requestOf(options)
}

/** The newest event of all streams, or of those with one of the prefixes. These are read backwards from the end. */
export function newestRequest(prefixes: readonly string[] | null = null): streamsPb.ReadReq {
  const end = new Options.AllOptions()
  end.setEnd(empty())
  const options = unfiltered(BACKWARDS)
  options.setAll(end)
  if (prefixes) options.setFilter(streamFilter(prefixes))
  options.setCount(prefixes ? NO_LIMIT : '1')
  return requestOf(options)
}

/** Stored and new events after the position, of streams with one of the prefixes. */
export function subscriptionRequest(position: Position, prefixes: readonly string[]): streamsPb.ReadReq {
  const options = unfiltered(FORWARDS)
  options.setAll(from(position))
  options.setSubscription(new Options.SubscriptionOptions())
  options.setFilter(streamFilter(prefixes))
  return requestOf(options)
}

function streamFilter(prefixes: readonly string[]) {
  const expression = new Options.FilterOptions.Expression()
  expression.setPrefixList([...prefixes])
  const filter = new Options.FilterOptions()
  filter.setStreamIdentifier(expression)
  filter.setMax(EVENTS_PER_CHECKPOINT)
  filter.setCheckpointintervalmultiplier(1)
  return filter
}

function unfiltered(direction: 0 | 1) {
  const ids = new Options.UUIDOption()
  ids.setString(empty())
  const options = new Options()
  options.setUuidOption(ids)
  options.setReadDirection(direction)
  options.setNoFilter(empty())
  return options
}

function from(position: Position) {
  const all = new Options.AllOptions()
  if (position === BEGINNING) {
    all.setStart(empty())
    return all
  }
  const commit = String(commitOf(position))
  const start = new Options.Position()
  start.setCommitPosition(commit)
  start.setPreparePosition(commit)
  all.setPosition(start)
  return all
}

function requestOf(options: InstanceType<typeof Options>): streamsPb.ReadReq {
  const request = new streamsPb.ReadReq()
  request.setOptions(options)
  return request
}

/** The generated types ask for another class of the same empty message. */
function empty(): never {
  return new sharedPb.Empty() as never
}
