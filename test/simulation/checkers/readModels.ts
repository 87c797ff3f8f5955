import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { storedEvents } from './events.ts'
import { accountFolds } from './folds/accounts.ts'
import { callFolds } from './folds/calls.ts'
import type { Fold, Row } from './folds/fold.ts'
import { hiringFolds } from './folds/hiring.ts'
import { ledgerFolds } from './folds/ledger.ts'
import { offerFolds } from './folds/offers.ts'
import { paymentFolds } from './folds/payments.ts'
import { trailFolds } from './folds/trail.ts'

/** Each read model is checked against a fold of its own. */
export const FOLDS: readonly Fold[] = [
  ...ledgerFolds,
  ...callFolds,
  ...accountFolds,
  ...offerFolds,
  ...paymentFolds,
  ...trailFolds,
  ...hiringFolds,
]

/** Read models equal an independent fold of the stored events. */
export function readModels({ pglite }: Simulation): Checker {
  return {
    invariant: 'read models equal an independent fold',
    end: () => {
      const events = storedEvents(pglite)
      for (const fold of FOLDS) {
        const rows = rowsOf(
          pglite,
          `select (select json_object_agg(key, value) from jsonb_each_text(to_jsonb(t))) from read_models.${fold.table} t`,
        )
        const stored = rows.map(([row]) => JSON.parse(row ?? '{}') as Row)
        const found = difference(fold, fold.rowsOf(events), stored)
        if (found !== null) return found
      }
      return null
    },
  }
}

/** What is wrong with the stored rows; null if they are the expected ones. */
export function difference({ table, key }: Fold, expected: readonly Row[], stored: readonly Row[]): string | null {
  const keyOf = (row: Row) => key.map((name) => comparable(row[name])).join(' ')
  const left = new Map(stored.map((row) => [keyOf(row), row]))
  if (left.size < stored.length) return `${table} has a row twice`
  for (const row of expected) {
    const found = left.get(keyOf(row))
    if (!found) return `${table} has no row ${keyOf(row)}`
    left.delete(keyOf(row))
    for (const [name, value] of Object.entries(row)) {
      if (comparable(value) === comparable(found[name])) continue
      return `${table} ${keyOf(row)} has ${name} ${comparable(found[name])}, and not ${comparable(value)}`
    }
  }
  const [surplus] = left.keys()
  return surplus === undefined ? null : `${table} has a row ${surplus} that follows from no event`
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** Times and JSON are written in more than one way. */
function comparable(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string' && TIME.test(value)) return new Date(value).toISOString()
  if (typeof value === 'string' && /^[[{]/.test(value)) return sorted(JSON.parse(value))
  return typeof value === 'object' ? sorted(value) : String(value)
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
