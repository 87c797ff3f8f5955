import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../support/processes/npmProcess.ts'

export type CodeBlock = {
  readonly language: string
  /** Marked `run` after its language: a test runs it. */
  readonly runs: boolean
  readonly text: string
  readonly line: number
  /** The heading above it. */
  readonly section: string
}

export type MarkdownDocument = {
  /** Relative to the repository. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly CodeBlock[]
  /** The text without its code blocks. */
  readonly prose: string
  readonly anchors: ReadonlySet<string>
}

const FENCE = /^```(\w*)(?: (\w+))?$/

export function readMarkdown(path: string): MarkdownDocument {
  const text = readFileSync(join(repository, path), 'utf8')
  const blocks: CodeBlock[] = []
  const prose: string[] = []
  let open: (Omit<CodeBlock, 'text'> & { readonly lines: string[] }) | null = null
  let section = ''
  for (const [index, line] of text.split('\n').entries()) {
    const fence = FENCE.exec(line.trim())
    if (open && fence) {
      const { lines, ...block } = open
      blocks.push({ ...block, text: `${lines.join('\n')}\n` })
      open = null
    } else if (open) open.lines.push(line)
    else if (fence) open = { language: fence[1] ?? '', runs: fence[2] === 'run', line: index + 1, section, lines: [] }
    else {
      prose.push(line)
      section = headings([line])[0] ?? section
    }
  }
  if (open) throw new Error(`${path}: the code block of line ${open.line} is not closed`)
  return { path, text, blocks, prose: prose.join('\n'), anchors: new Set(headings(prose).map(anchorOf)) }
}

/** Every Markdown file of the repository, relative to it. */
export function markdownPaths(): string[] {
  const exclude = ['node_modules', '.data', '.git'].map((folder) => `**/${folder}/**`)
  return globSync('**/*.md', { cwd: repository, exclude }).toSorted()
}

function headings(prose: readonly string[]): string[] {
  return prose.flatMap((line) => /^#{1,6} +(.+?)\s*$/.exec(line)?.[1] ?? [])
}

/** The anchor that GitHub gives a heading: lower case, punctuation removed, spaces as hyphens. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
