import { nowMs } from '../../api/now.ts'
import { localTime, relativeTime, utcTime } from './times.ts'
import { useMinute } from './useMinute.ts'

type Props = {
  readonly at: string
  /** Such as "5 minutes ago", as tables show times. */
  readonly relative?: boolean
}

/** A moment in local time, with UTC in the title; the title of a relative one has both. */
export function Time({ at, relative = false }: Props) {
  if (relative) return <RelativeTime at={at} />
  return (
    <time dateTime={at} title={utcTime(at)} className="nowrap">
      {localTime(at)}
    </time>
  )
}

function RelativeTime({ at }: { readonly at: string }) {
  useMinute()
  return (
    <time dateTime={at} title={`${localTime(at)} (${utcTime(at)})`} className="nowrap">
      {relativeTime(at, nowMs())}
    </time>
  )
}
