/** One run of text on a page. Coordinates start at the lower left corner of the page. */
export type TextRun = {
  readonly str: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly fontSize: number
}

type Line = { y: number; runs: TextRun[] }

const COLUMN_LINES_MIN = 5
/** List items may be indented this far from the left edge of their column. */
const INDENT_MAX = 16
/** A gap between two runs that is wider than this many font sizes becomes a tab. */
const TAB_EMS = 2

/** The text of a page in reading order: line by line, one column after the other. */
export function pageText(runs: readonly TextRun[]): string {
  const shown = runs.filter(({ str }) => str.trim() !== '')
  const gutter = findGutter(shown)
  if (gutter === null) return linesOf(shown).map(textOf).join('\n')
  // Lines that cross the gutter, such as a title or a footer, span the page and divide it into bands.
  const text: string[] = []
  let left: Line[] = []
  let right: Line[] = []
  const flush = () => {
    text.push(...left.map(textOf), ...right.map(textOf))
    left = []
    right = []
  }
  for (const line of linesOf(shown)) {
    if (crosses(line, gutter)) {
      flush()
      text.push(textOf(line))
      continue
    }
    const sides = [line.runs.filter(({ x }) => x < gutter), line.runs.filter(({ x }) => x >= gutter)] as const
    if (sides[0].length > 0) left.push({ y: line.y, runs: sides[0] })
    if (sides[1].length > 0) right.push({ y: line.y, runs: sides[1] })
  }
  flush()
  return text.join('\n')
}

/** The left edge of a second column: many lines start there and few cross it. null if there is only one column. */
function findGutter(runs: readonly TextRun[]): number | null {
  const lines = linesOf(runs)
  let best: { at: number; starting: number } | null = null
  for (const at of new Set(runs.map(({ x }) => Math.round(x) - 1))) {
    const starting = lines.filter((line) => line.runs.some((run) => startsAt(run, at)))
    const alone = starting.filter((line) => line.runs.every(({ x }) => x >= at))
    const crossing = lines.filter((line) => crosses(line, at))
    const left = lines.filter((line) => line.runs.some(({ x, width }) => x + width <= at))
    // Right-aligned dates and indented lists are not columns: a column has its own lines next to those of the other.
    if (starting.length < COLUMN_LINES_MIN || alone.length < 2 || left.length < COLUMN_LINES_MIN) continue
    if (starting.length - alone.length < 2 || crossing.length > starting.length / 4) continue
    if (best === null || starting.length > best.starting || (starting.length === best.starting && at < best.at))
      best = { at, starting: starting.length }
  }
  return best?.at ?? null
}

function startsAt(run: TextRun, at: number): boolean {
  return run.x >= at && run.x <= at + INDENT_MAX
}

/** Whether the line spans the page. A line with a run that starts at the gutter merely overflows its column. */
function crosses(line: Line, at: number): boolean {
  return line.runs.some(({ x, width }) => x < at && x + width > at) && !line.runs.some((run) => startsAt(run, at))
}

function linesOf(runs: readonly TextRun[]): Line[] {
  const lines: Line[] = []
  for (const run of [...runs].sort((a, b) => b.y - a.y || a.x - b.x)) {
    const last = lines.at(-1)
    if (last && Math.abs(last.y - run.y) <= Math.max(2, run.fontSize * 0.35)) last.runs.push(run)
    else lines.push({ y: run.y, runs: [run] })
  }
  for (const line of lines) line.runs.sort((a, b) => a.x - b.x)
  return lines
}

function textOf({ runs }: Line): string {
  let text = ''
  let end: number | null = null
  for (const run of runs) {
    const gap = end === null ? 0 : run.x - end
    if (gap > run.fontSize * TAB_EMS) text += '\t'
    else if (gap > run.fontSize * 0.15 && !text.endsWith(' ') && !run.str.startsWith(' ')) text += ' '
    text += run.str
    end = run.x + run.width
  }
  return text.trim()
}
