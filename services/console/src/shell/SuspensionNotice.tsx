import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { Banner } from '../parts/Banner.tsx'

/** How often the session is read again, which says whether the company is suspended. */
const LIVE_MS = 60_000

/** On every page of a company that is suspended: its calls are refused, which no other figure explains. */
export function SuspensionNotice() {
  const session = useQuery({ ...sessionQuery, refetchInterval: LIVE_MS })
  const reason = session.data?.company?.suspendedReason ?? null
  if (reason === null) return null
  return (
    <div className="notice">
      <Banner kind="danger">
        <strong>This company is suspended: {reason}</strong>
        <br />
        Its calls are refused until the people who run this installation resume it. Everything can still be read.
      </Banner>
    </div>
  )
}
