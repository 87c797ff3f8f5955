import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import type { LoggedEvent } from './eventLog.ts'

export type EventFilter = (event: LoggedEvent) => boolean

type FilterOptions = streamsPb.ReadReq.Options.FilterOptions

/** Of system streams $all leaves out this one; the others it shows (Services/Storage/ReaderIndex/EventFilter.cs). */
export const DEFAULT_FILTER: EventFilter = ({ stream }) => stream !== '$epoch-information'

/** A regular expression where there is one, else prefixes (Services/Transport/Grpc/Streams.Read.cs, ConvertToEventFilter). */
export function eventFilter(options: FilterOptions): EventFilter {
  const onStream = options.getStreamIdentifier()
  const expression = onStream ?? options.getEventType()
  const regex = expression?.getRegex() ? new RegExp(expression.getRegex()) : null
  const prefixes = expression?.getPrefixList() ?? []
  return (event) => {
    const text = onStream ? event.stream : event.type
    return DEFAULT_FILTER(event) && (regex ? regex.test(text) : prefixes.some((prefix) => text.startsWith(prefix)))
  }
}
