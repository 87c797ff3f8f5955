import { isoBefore, nowMs } from '../api/now.ts'
import { NewestCallDocument } from '../graphql/generated.ts'
import { Banner } from '../parts/Banner.tsx'
import { Time } from '../parts/values/Time.tsx'
import { useCompanyQuery } from './viewer.ts'

/** More than the clocks of several machines differ. */
const AHEAD_MS_MAX = 5 * 60_000
/** How often to check. */
const LOOK_MS = 5 * 60_000

/** Shown if calls are dated later than the server's clock, which was set back or is wrong. */
export function ClockNotice() {
  const newest = useCompanyQuery(NewestCallDocument, {}, { refetchInterval: LOOK_MS, staleTime: LOOK_MS })
  const at = newest.data?.calls.nodes[0]?.finishedAt
  if (!at || Date.parse(at) - nowMs() < AHEAD_MS_MAX) return null
  return (
    <div className="notice">
      <Banner kind="warning">
        <strong>
          The newest call is dated <Time at={at} />, but the server's clock says <Time at={isoBefore(0)} />.
        </strong>
        <br />
        Figures end today and leave out calls that are dated later; the balance includes them. The operator of this
        installation should check the server's clock.
      </Banner>
    </div>
  )
}
