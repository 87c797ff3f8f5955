import { boundaryOf } from '../../../../../capabilities/statements/ledgerBoundary.ts'
import { rangeTotals } from '../../../../../capabilities/statements/rangeTotals.ts'
import { entryPages, type StatementEntry } from '../../../../../capabilities/statements/statementLines.ts'
import {
  InvalidPeriod,
  type StatementRange,
  statementRange,
} from '../../../../../capabilities/statements/statementRange.ts'
import { creditsNumber } from '../../../../../domain/credits.ts'
import type { TotalKind } from '../../../../../domain/statement/totals.ts'
import type { Engines } from '../../../../../platform/engines.ts'
import { companyById } from '../../../../../projections/companies/queries.ts'
import { requireUser } from '../../access/access.ts'
import { apiError, notFound } from '../../apiError.ts'
import type { GraphqlContext } from '../../context.ts'
import type { Resolvers, StatementTotals as ShownTotals } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { cursorOf, pageOf, readCursor, requireFirst } from '../../paging.ts'

/** Entries that are read for totals while the caller waits, where the read model does not have them yet. */
const TOTALS_LINES_MAX = 100_000

export const statements: Resolvers = {
  Query: {
    statement: async (_source, { companyId: named, from, to, first, after }, context) => {
      const { engines } = context.runtime
      const limit = requireFirst(first)
      const place = readCursor(after, /^\d{1,15}$/)
      const companyId = await readableCompany(context, named ?? null)
      const range = await statementRange(engines, { companyId, from, to }).catch((error: unknown) => {
        throw error instanceof InvalidPeriod ? apiError('BAD_USER_INPUT', error.message) : error
      })
      // A function, so that it is called only if the field is requested.
      const totals = (() => totalsOf(engines, range)) as unknown as ShownTotals
      return {
        ...{ companyId, from, to, count: range.count, firstNumber: range.first, totals },
        opening: amountOf(range.openingMicros),
        closing: amountOf(range.closingMicros),
        entries: await entriesOf(engines, range, place === null ? range.first : Number(place) + 1, limit),
        path: `/statements/${companyId}?from=${from}&to=${to}`,
      }
    },
  },
}

/** The user's own company, or the one that a super admin names, whose access is recorded. */
async function readableCompany(context: GraphqlContext, named: string | null): Promise<string> {
  const { companyId: own, isSuperAdmin } = requireUser(context)
  const companyId = named === null ? own : requireId(named, 'company')
  if (companyId === null) throw apiError('BAD_USER_INPUT', 'companyId is required, because you belong to no company')
  if (companyId === own) return own
  if (!isSuperAdmin || !(await companyById(context.runtime.engines.database, companyId))) {
    throw notFound('company', companyId)
  }
  await context.companyAccess.record(context, companyId)
  return companyId
}

async function entriesOf(engines: Engines, range: StatementRange, from: number, limit: number) {
  const left = Math.min(range.first + range.count - from, limit + 1)
  const entries: StatementEntry[] = []
  if (from >= range.first && left > 0) {
    const { first: number, openingMicros: balanceMicros, revision } = range
    const begin =
      from === number ? { number, balanceMicros, revision } : await boundaryOf(engines, range.companyId, from)
    for await (const page of entryPages(engines, range.companyId, begin, left)) entries.push(...page)
  }
  const { nodes, pageInfo } = pageOf(entries, limit, ({ line }) => cursorOf(String(line.number)))
  return { nodes: nodes.map(shownEntry), pageInfo }
}

function shownEntry({
  line: { number, id, time, type, deltaMicros, balanceMicros, call, description },
}: StatementEntry) {
  const { callId, keyId, alias, label, tokensIn, tokensOut } = call ?? NO_CALL
  return {
    ...{ number, id, time, type, amount: amountOf(deltaMicros), balance: amountOf(balanceMicros), description },
    ...{ callId, keyId, alias, label, tokensIn, tokensOut },
  }
}

const NO_CALL = { callId: null, keyId: null, alias: null, label: null, tokensIn: null, tokensOut: null }

async function totalsOf(engines: Engines, range: StatementRange): Promise<ShownTotals> {
  const totals = await rangeTotals(engines, range, TOTALS_LINES_MAX)
  if (totals === null) {
    const reason = `the totals of the ${range.count} entries of this time are not ready`
    throw apiError('BAD_USER_INPUT', `${reason}: try again later, or take the file at path, or a shorter time`)
  }
  const shown = (kind: TotalKind) =>
    totals.of(kind).map(({ name, entries, deltaMicros }) => ({ name, entries, amount: amountOf(deltaMicros) }))
  return { byType: shown('byType'), byAlias: shown('byAlias'), byKey: shown('byKey'), byLabel: shown('byLabel') }
}

function amountOf(micros: bigint) {
  return { credits: creditsNumber(micros), amountMicros: micros.toString() }
}
