import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/apiError.ts'
import { LedgerReceiptDocument } from '../../graphql/generated.ts'
import { companyQuery, useViewer } from '../../shell/viewer.ts'

/** An event is sealed a moment after it is stored; until then it has no receipt. */
const UNSEALED_RETRIES_MAX = 10
const UNSEALED_RETRY_MS = 2_000

/** The receipt of a call's event, for roles that may read the ledger. */
export function useReceipt(eventId: string) {
  const viewer = useViewer()
  return useQuery({
    ...companyQuery(viewer, LedgerReceiptDocument, { eventId }),
    enabled: viewer.may('readMoney'),
    // An event does not change; a later receipt differs only in the checkpoint.
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, error) => failures < UNSEALED_RETRIES_MAX && isUnsealed(error),
    retryDelay: UNSEALED_RETRY_MS,
  })
}

export function isUnsealed(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND'
}
