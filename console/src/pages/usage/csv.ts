import { plainCredits } from '../../parts/values/credits.ts'
import type { UsageNode } from './pivot.ts'

/** The query's result, one line per pair of groups, with exact credits. */
export function usageCsv(
  nodes: readonly UsageNode[],
  names: readonly string[],
  nameOf: (value: string, n: number) => string,
): string {
  const head = [...names, 'requests', 'failures', 'tokens_in', 'tokens_out', 'credits']
  const lines = nodes.map((node) => {
    const groups = [node.group, node.subgroup ?? ''].slice(0, names.length).map(nameOf)
    return [
      ...groups,
      node.requests,
      node.failures,
      node.tokensIn,
      node.tokensOut,
      plainCredits(BigInt(node.amountMicros)),
    ]
  })
  return `${[head, ...lines].map((line) => line.map(cellOf).join(',')).join('\r\n')}\r\n`
}

/** Quotes where needed, and prefixes an apostrophe to text that a spreadsheet would run as a formula. */
function cellOf(value: string | number): string {
  const text =
    typeof value === 'string' && /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value)
      ? `'${value}`
      : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
