import type { UsageQuery } from '../../graphql/generated.ts'

export type UsageNode = UsageQuery['usage']['nodes'][number]

export type PivotRow = {
  readonly group: string
  readonly cells: ReadonlyMap<string, bigint>
  readonly requests: number
  readonly failures: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly micros: bigint
}

export type Pivot = {
  readonly rows: readonly PivotRow[]
  readonly columns: readonly string[]
  readonly total: PivotRow
}

/** One row per group, with its subgroups as columns. Most expensive first; times in order. */
export function pivotOf(nodes: readonly UsageNode[]): Pivot {
  const rows = new Map<string, PivotRow>()
  const sums = new Map<string, bigint>()
  let total = emptyRow('')
  for (const node of nodes) {
    rows.set(node.group, added(rows.get(node.group) ?? emptyRow(node.group), node))
    total = added(total, node)
    if (node.subgroup !== null) sums.set(node.subgroup, (sums.get(node.subgroup) ?? 0n) + BigInt(node.amountMicros))
  }
  const columns = [...sums].toSorted(([a, left], [b, right]) => (left > right ? -1 : left < right ? 1 : a < b ? -1 : 1))
  const sorted = [...rows.values()].toSorted((a, b) =>
    isTime(a.group) ? (a.group < b.group ? -1 : 1) : a.micros > b.micros ? -1 : 1,
  )
  return { rows: sorted, columns: columns.map(([name]) => name), total }
}

function isTime(group: string): boolean {
  return /^\d{4}-\d{2}(-\d{2}T|$)/.test(group)
}

function emptyRow(group: string): PivotRow {
  return { group, cells: new Map(), requests: 0, failures: 0, tokensIn: 0, tokensOut: 0, micros: 0n }
}

function added(row: PivotRow, node: UsageNode): PivotRow {
  const micros = BigInt(node.amountMicros)
  const cells = new Map(row.cells)
  if (node.subgroup !== null) cells.set(node.subgroup, (cells.get(node.subgroup) ?? 0n) + micros)
  return {
    group: row.group,
    cells,
    requests: row.requests + node.requests,
    failures: row.failures + node.failures,
    tokensIn: row.tokensIn + node.tokensIn,
    tokensOut: row.tokensOut + node.tokensOut,
    micros: row.micros + micros,
  }
}
