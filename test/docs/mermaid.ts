const NODE = String.raw`\w+(?:\[\(?[^\]]*\)?\]|\([^)]*\))?`
const FLOWCHART = [
  new RegExp(String.raw`^${NODE}(?: -->(?:\|[^|]+\|)? ${NODE})*$`),
  /^subgraph \w+(?:\[[^\]]+\])?$/,
  /^direction (?:LR|TB)$/,
  /^end$/,
]
const SEQUENCE = [
  /^(?:participant|actor) \w+(?: as .+)?$/,
  /^\w+(?:->>|-->>)[+-]?\w+: .+$/,
  /^Note (?:over|left of|right of) \w+(?:,\w+)?: .+$/,
  /^(?:loop|alt|else|opt|par|and|rect)(?: .+)?$/,
  /^end$/,
]
const BLOCK_BEGINS = /^(?:loop|alt|opt|par|rect|subgraph)\b/

/** What is wrong with a flowchart or a sequence diagram; null if every line is one of the forms that are used here. */
export function mermaidFault(text: string, blockLine: number): string | null {
  const [kind = '', ...lines] = text.trimEnd().split('\n')
  const forms = /^flowchart (?:LR|TB)$/.test(kind) ? FLOWCHART : kind === 'sequenceDiagram' ? SEQUENCE : null
  if (!forms) return `line ${blockLine + 1}: unknown diagram "${kind}"`
  let depth = 0
  for (const [index, indented] of lines.entries()) {
    const line = indented.trim()
    if (line === '') continue
    const where = `line ${blockLine + 2 + index}`
    if (!forms.some((form) => form.test(line))) return `${where}: "${line}" cannot be read`
    // A semicolon ends a statement, and a hash begins an entity: both cut a message short.
    if (/[;#]/.test(line)) return `${where}: "${line}" contains ; or #`
    if (BLOCK_BEGINS.test(line)) depth++
    if (line === 'end') depth--
    if (depth < 0) return `${where}: "end" without a block`
  }
  return depth === 0 ? null : `line ${blockLine + 1}: a block is not closed`
}
