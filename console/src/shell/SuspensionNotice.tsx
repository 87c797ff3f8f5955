import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { endSession, sessionQuery } from '../api/session.ts'
import { Banner } from '../parts/Banner.tsx'

/** How often to check whether the session is still valid and the company suspended. */
const LIVE_MS = 60_000

/** How the backend begins the reason if an open dispute suspends the company. */
const BY_DISPUTE = 'payment disputed: '

/** Shown on every page of a suspended company, because no figure explains why its calls are refused. */
export function SuspensionNotice() {
  const session = useQuery({ ...sessionQuery, refetchInterval: LIVE_MS })
  const queries = useQueryClient()
  const router = useRouter()
  const isOver = session.data === null
  useEffect(() => {
    if (!isOver) return
    endSession(queries)
    void router.invalidate()
  }, [isOver, queries, router])
  const reason = session.data?.company?.suspendedReason ?? null
  if (reason === null) return null
  return (
    <div className="notice">
      <Banner kind="danger">
        <strong>This company is suspended: {reason}</strong>
        <br />
        {reason.startsWith(BY_DISPUTE)
          ? 'Its calls are refused until the dispute has ended. If the payment was yours, ask your bank to withdraw the dispute.'
          : 'Its calls are refused until the operator of this installation resumes it.'}{' '}
        Everything can still be read.
      </Banner>
    </div>
  )
}
