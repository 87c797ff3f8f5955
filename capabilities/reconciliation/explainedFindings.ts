import type { Finding } from '../../domain/reconciliation/match.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { type Explanation, explanationsOf } from '../../projections/trail/explanations.ts'
import { deterministicId } from '../commands/eventId.ts'
import type { Reconciliation } from './reconcile.ts'

/** `explanation`: what a super admin said about the difference; null if nobody did. */
export type ShownFinding = Finding & { readonly id: string; readonly explanation: Explanation | null }

/** Differences that a super admin has explained are listed with what is explained, and no longer counted. */
export async function withExplanations(sql: Sql, { differences, explained, ...counts }: Reconciliation) {
  const found = differences.map(named)
  const explanations =
    found.length === 0
      ? new Map()
      : await explanationsOf(
          sql,
          found.map(({ id }) => id),
        )
  const shown = found.map((finding) => ({ ...finding, explanation: explanations.get(finding.id) ?? null }))
  const byHand = shown.filter(({ explanation }) => explanation !== null)
  return {
    ...counts,
    differences: shown.filter(({ explanation }) => explanation === null),
    differenceCount: counts.differenceCount - byHand.length,
    explained: [...byHand, ...explained.map(named)],
    explainedCount: counts.explainedCount + byHand.length,
  }
}

/** The id derives from all that the finding says: a difference of another amount needs an explanation of its own. */
function named(finding: Finding): ShownFinding {
  const { kind, reference, chargeId, text } = finding
  const what = [kind, reference, chargeId, text].join(' ')
  return { ...finding, id: deterministicId(`difference:${what}`), explanation: null }
}
