import type { PartRow } from '../../domain/creditLots/snapshot.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import type { CompanyChanges } from './lotChanges.ts'

/** Ids of calls begin with their time: as many characters are common to the calls of a minute. */
const PREFIX_CHARACTERS = 8

/** The parts of many charges, small because every call adds to it: `[index of the lot, amount, index, amount, ...]`. */
type StoredParts = {
  readonly lotIds: string[]
  readonly charges: Record<string, (number | string)[]>
}

/** Stores where charges took their credits from. Of a charge that is stored again, the last parts count. */
export async function writeCharges(sql: Sql, companies: readonly CompanyChanges[]): Promise<void> {
  const rows = companies.flatMap(({ companyId, charges }) =>
    [...Map.groupBy(charges, ({ chargeId }) => prefixOf(chargeId))].map(([prefix, alike]) => ({
      ...{ company_id: companyId, id_prefix: prefix, parts: storedParts(alike) },
    })),
  )
  if (rows.length === 0) return
  await sql.query(
    `insert into credit_lots.charges (company_id, id_prefix, parts)
     select * from json_to_recordset($1::json) as new (company_id uuid, id_prefix text, parts json)`,
    [JSON.stringify(rows)],
  )
}

type ChargeName = { readonly companyId: string; readonly chargeId: string }

/** Where charges took their credits from, by company and charge; none for a charge without parts of a lot. */
export async function readCharges(sql: Sql, charges: readonly ChargeName[]): Promise<Map<string, PartRow[]>> {
  const found = new Map<string, PartRow[]>()
  if (charges.length === 0) return found
  const rows = await sql.query<{ readonly companyId: string; readonly idPrefix: string; readonly parts: StoredParts }>(
    `select company_id, id_prefix, parts from credit_lots.charges
     join (select distinct * from unnest($1::uuid[], $2::text[]) as named (company_id, id_prefix)) named
       using (company_id, id_prefix)
     order by seq`,
    [charges.map(({ companyId }) => companyId), charges.map(({ chargeId }) => prefixOf(chargeId))],
  )
  const byPrefix = Map.groupBy(rows, ({ companyId, idPrefix }) => `${companyId} ${idPrefix}`)
  for (const { companyId, chargeId } of charges) {
    const last = byPrefix.get(`${companyId} ${prefixOf(chargeId)}`)?.findLast(({ parts }) => parts.charges[chargeId])
    if (last) found.set(`${companyId} ${chargeId}`, partsOf(last.parts, chargeId))
  }
  return found
}

function prefixOf(chargeId: string): string {
  return chargeId.slice(0, PREFIX_CHARACTERS)
}

function storedParts(charges: CompanyChanges['charges']): StoredParts {
  const indexes = new Map<string, number>()
  const indexOf = (lotId: string): number => {
    const index = indexes.get(lotId) ?? indexes.size
    indexes.set(lotId, index)
    return index
  }
  const stored = charges.map(({ chargeId, parts }): [string, (number | string)[]] => [
    chargeId,
    parts.flatMap(({ lotId, amountMicros }) => [indexOf(lotId), amountMicros.toString()]),
  ])
  return { lotIds: [...indexes.keys()], charges: Object.fromEntries(stored) }
}

function partsOf({ lotIds, charges }: StoredParts, chargeId: string): PartRow[] {
  const stored = charges[chargeId] ?? []
  return Array.from({ length: stored.length / 2 }, (_, n) => ({
    lotId: lotIds[Number(stored[2 * n])] ?? '',
    amountMicros: BigInt(stored[2 * n + 1] ?? 0),
  }))
}
