import { skipToken, useQuery } from '@tanstack/react-query'
import { execute } from '../../api/execute.ts'
import { LastTransactionDocument, LedgerReceiptDocument } from '../../graphql/generated.ts'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { isUnsealed } from '../calls/useReceipt.ts'
import type { Entry } from './entryWords.ts'
import type { Period } from './statementSearch.ts'

/** A checkpoint is signed about every ten seconds; until it covers the entry, there is no receipt. */
const UNSEALED_RETRIES_MAX = 15
const UNSEALED_RETRY_MS = 2_000

export type Coverage = {
  /** The number of the last entry known to be in the signed tree; all entries before it are in it, too. */
  readonly coveredTo: number
  readonly logSize: number | null
}

/**
 * How far the signed checkpoint covers a statement: the receipt of its last entry says so. While the last entry is on a
 * later page, that of the last transaction does, because the entries after it do not change the balance.
 */
export function useCoverage(period: Period, entries: readonly Entry[], isComplete: boolean) {
  const { asCompany } = useViewer()
  const last = useCompanyQuery(LastTransactionDocument, period, { enabled: !isComplete })
  const eventId = isComplete ? entries.at(-1)?.id : last.data?.creditTransactions.nodes[0]?.id
  return useQuery({
    queryKey: ['company', asCompany, 'coverage', eventId],
    queryFn: eventId
      ? async (): Promise<Coverage> => {
          const { ledgerReceipt } = await execute(LedgerReceiptDocument, { asCompany, eventId })
          return { coveredTo: ledgerReceipt.event.number, logSize: checkpointSize(ledgerReceipt.proof) }
        }
      : skipToken,
    retry: (failures, error) => failures < UNSEALED_RETRIES_MAX && isUnsealed(error),
    retryDelay: UNSEALED_RETRY_MS,
  })
}

/** The size that a C2SP tlog-proof's checkpoint states: its second line, after the lines of the proof. */
export function checkpointSize(proof: string): number | null {
  const [, checkpoint = ''] = proof.split(/\n\n/)
  const size = checkpoint.split('\n')[1] ?? ''
  return /^\d{1,15}$/.test(size) ? Number(size) : null
}
