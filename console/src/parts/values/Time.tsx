import { nowMs } from '../../api/now.ts'
import { localTime, relativeTime, utcTime } from './times.ts'

/** A moment in local time, with UTC in the title. */
export function Time({ at, relative = false }: { readonly at: string; readonly relative?: boolean }) {
  const title = relative ? `${localTime(at)} (${utcTime(at)})` : utcTime(at)
  return (
    <time dateTime={at} title={title} className="nowrap">
      {relative ? relativeTime(at, nowMs()) : localTime(at)}
    </time>
  )
}
