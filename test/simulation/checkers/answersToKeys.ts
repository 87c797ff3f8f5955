import type { FaultKind } from '../faults/faultPlan.ts'
import type { Attempt } from '../load/attempt.ts'
import type { Books } from '../load/books.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'

/** A gateway that the store does not answer in time, or that is not there, goes by what it knows. */
const DELAYS: readonly FaultKind[] = [
  'database connection dies before the statement',
  'database connection dies after the statement',
  'database message is late',
  'database is silent',
  'process is killed',
  'process is paused',
  'clock jumps',
]

/** A key that was minted is never unknown, and a company that was resumed is not refused because a view lags. */
export function answersToKeys({ faults }: Simulation, books: Books, attempts: () => readonly Attempt[]): Checker {
  const faultOf = ({ question: { name, key }, status, sentAtMs, gateway }: Attempt): string | null => {
    const company = books.companies.find(({ companyId }) => companyId === key.companyId)
    const minted = company?.keys.find(({ keyId }) => keyId === key.keyId)
    if (status === 401 && minted && minted.revokingFromMs === null) return `${name} got 401 at ${gateway}`
    if (status !== 403 || !company || DELAYS.some((kind) => faults.counts.has(kind))) return null
    const isSuspended = company.suspensions.some(({ toMs }) => toMs === null || toMs > sentAtMs)
    return isSuspended ? null : `${name} got 403 at ${gateway}, although the company was resumed`
  }
  return {
    invariant: 'a minted key and a resumed company are not refused',
    end: () => {
      for (const attempt of attempts()) {
        const fault = faultOf(attempt)
        if (fault !== null) return fault
      }
      return null
    },
  }
}
