import { readFile } from 'node:fs/promises'
import { median } from '../../../bench/figure.ts'
import type { Planted } from './planted.ts'

/** How many seeds it took from one starting seed, null if it was not found, and what did not hold. */
export type Found = {
  readonly seeds: number | null
  readonly invariant: string | null
  readonly detail?: string
}
export type Search = { readonly planted: Planted; readonly found: readonly Found[] }

const HEAD = ['| Patch | World | What it breaks | Seeds until found | Median | Found by |', '|---|---|---|---|---|---|']

export function tableOf(searches: readonly Search[]): string {
  return `${[...HEAD, ...searches.map(rowOf)].join('\n')}\n`
}

function rowOf({ planted: { name, world, breaks }, found }: Search): string {
  const counts = found.map(({ seeds }) => seeds ?? Number.POSITIVE_INFINITY)
  const invariants = [...new Set(found.flatMap(({ invariant }) => invariant ?? []))]
  const middle = median(counts)
  const cells = [
    `\`${name}\``,
    world,
    breaks,
    counts.length === 0 ? 'not tried' : found.map(({ seeds }) => seeds ?? 'not found').join(', '),
    counts.length > 0 && Number.isFinite(middle) ? String(middle) : '',
    invariants.join('; '),
  ]
  return `| ${cells.join(' | ')} |`
}

/** The document with the rows of these searches replaced or added, in the order of their names. */
export async function writtenInto(file: string, searches: readonly Search[]): Promise<string> {
  const text = await readFile(file, 'utf8')
  const lines = text.split('\n')
  const begin = lines.indexOf(HEAD[0] as string)
  if (begin === -1) throw new Error(`${file} has no table of planted bugs`)
  const first = begin + HEAD.length
  const rest = lines.slice(first).findIndex((line) => !line.startsWith('|'))
  const end = rest === -1 ? lines.length : first + rest
  const rows = new Map(lines.slice(first, end).map((row) => [nameIn(row), row]))
  for (const search of searches) rows.set(search.planted.name, rowOf(search))
  const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  return [...lines.slice(0, first), ...sorted, ...lines.slice(end)].join('\n')
}

const nameIn = (row: string): string => /^\| `([^`]+)`/.exec(row)?.[1] ?? row
