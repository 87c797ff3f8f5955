import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import type { Sql, SqlRow } from './ports.ts'
import { applyBatch, LIVE_SCHEMA, PREPARED_KEYS_MAX } from './tables.ts'

/** The names of the statements that load rows for this many companies; undefined for a statement that is not prepared. */
async function loadingStatements(companies: number): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = []
  const sql: Sql = {
    query: async <R extends SqlRow>(text: string, _values?: readonly unknown[], name?: string): Promise<R[]> => {
      if (text.startsWith('select t.*')) names.push(name)
      return []
    },
  }
  const events = Array.from({ length: companies }, () => {
    const companyId = randomUUID()
    return history(streamName('ledger', companyId), charged(companyId))
  }).flat()
  await applyBatch(sql, creditBalances, LIVE_SCHEMA, events, true)
  return names
}

test('only a small batch loads its rows with a prepared statement, whose plan outlasts the growth of a table', async () => {
  expect(await loadingStatements(PREPARED_KEYS_MAX)).toEqual([expect.any(String)])
  expect(await loadingStatements(PREPARED_KEYS_MAX + 1)).toEqual([undefined])
})
