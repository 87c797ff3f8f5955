import { isoBefore } from '../../api/now.ts'
import { Time } from '../../parts/values/Time.tsx'

/** Explains why a published price may not be in force: it starts later, or the server's clock was set back. */
export function ClockHint({ from }: { readonly from: string }) {
  return (
    <>
      begins <Time at={from} />; the server's clock says <Time at={isoBefore(0)} />
    </>
  )
}
