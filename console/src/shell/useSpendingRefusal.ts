import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'

/** Why actions that spend are refused; null while they are not. `SuspensionNotice` keeps the session up to date. */
export function useSpendingRefusal(): string | null {
  const { data } = useQuery(sessionQuery)
  const reason = data?.company?.suspendedReason ?? null
  return reason === null ? null : `The company is suspended: ${reason}`
}
