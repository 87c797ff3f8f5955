import * as documents from '../../console/src/graphql/generated.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import { median } from '../figure.ts'
import { openMs } from '../pages/openPage.ts'
import { CONSOLE_PAGES, type Operation, requireEveryQuery } from '../pages/pageOperations.ts'
import { alternating, type Growth } from './rounds.ts'
import { chargeBefore, type Stack } from './stacks.ts'

const DAY_MS = 86_400_000
const PAGE_ROUNDS = 41
const ROUNDS = 31
const SAMPLES_PER_ROUND = 8
/** For statements, which take ten times as long. */
const STATEMENTS_PER_ROUND = 4

/** The data of each page of the console. */
export async function measurePages(stacks: readonly Stack[]): Promise<Growth[]> {
  requireEveryQuery()
  const figures: Growth[] = []
  for (const page of CONSOLE_PAGES) {
    const subject = { part: 'pages', name: `page ${page.name}`, unit: 'ms', rounds: PAGE_ROUNDS, warmUpRounds: 8 }
    figures.push(...(await alternating(stacks, { ...subject, measure: (stack) => openMs(page, stack) })))
  }
  return figures
}

/** Usage of a month, grouped in ways that its page does not show at first. */
export function measureUsage(stacks: readonly Stack[]): Promise<Growth[]> {
  const from = isoTime(systemClock.now() - 31 * DAY_MS)
  const operations = (
    [
      ['DAY', 'LABEL'],
      ['KEY', 'ALIAS'],
      ['DAY', 'KEY'],
    ] as const
  ).map((groupBy) => ({
    query: documents.UsageDocument.toString(),
    variables: { from, groupBy },
  }))
  return measureAnswers(stacks, 'usage', 'usage of 31 days by three groups', () => operations)
}

/** Receipts of calls from the whole history. */
export function measureReceipts(stacks: readonly Stack[]): Promise<Growth[]> {
  return measureAnswers(stacks, 'receipts', 'a receipt', ({ ledger }, share) => {
    const eventId = chargeBefore(ledger, Math.ceil(share * ledger.events))
    return [{ query: documents.LedgerReceiptDocument.toString(), variables: { eventId } }]
  })
}

/** Balances at moments of the last month and of the whole history. */
export async function measureBalances(stacks: readonly Stack[]): Promise<Growth[]> {
  const at = (time: number): readonly Operation[] => [
    { query: documents.BalanceAtDocument.toString(), variables: { at: isoTime(time) } },
  ]
  return [
    ...(await measureAnswers(stacks, 'balances', 'the balance at a moment of the last month', ({ ledger }, share) =>
      at(Math.floor(ledger.untilMs - share * 31 * DAY_MS)),
    )),
    ...(await measureAnswers(stacks, 'balances', 'the balance at a moment of three years', ({ ledger }, share) =>
      at(Math.floor(ledger.untilMs - share * 3 * 365 * DAY_MS)),
    )),
  ]
}

/** The sum over the entries of two months; which company an event belongs to is random. */
const ENTRIES_DIFFERENCE_MAX = 0.05

/** The complete statement of a month as CSV. The months have the same number of entries, which determines the time. */
export async function measureStatements(stacks: readonly Stack[]): Promise<Growth[]> {
  const entries = new Map<number, number>()
  for (const stack of stacks) entries.set(stack.events, (await readStatement(stack)).entries)
  requireEqual(entries)
  return alternating(stacks, {
    ...{ part: 'statements', name: 'the statement of a month', unit: 'ms', rounds: ROUNDS, warmUpRounds: 8 },
    measure: async (stack) => {
      const times: number[] = []
      for (let sample = 0; sample < STATEMENTS_PER_ROUND; sample++) times.push((await readStatement(stack)).ms)
      return median(times)
    },
  })
}

async function readStatement({ url, ledger, facts, tokens }: Stack): Promise<{ ms: number; entries: number }> {
  const from = isoTime(ledger.untilMs - 62 * DAY_MS)
  const to = isoTime(ledger.untilMs - 31 * DAY_MS)
  const began = performance.now()
  const response = await fetch(`${url}/statements/${facts.companyId}?from=${from}&to=${to}&format=csv&wait=0`, {
    headers: { authorization: `Bearer ${tokens.admin}` },
  })
  const text = await response.text()
  const ms = performance.now() - began
  const [, entries] = /^CLOSING,(\d+),/m.exec(text) ?? []
  if (response.status !== 200 || entries === undefined) throw new Error(`there is no statement: ${response.status}`)
  return { ms, entries: Number(entries) }
}

function requireEqual(entries: ReadonlyMap<number, number>): void {
  const counts = [...entries.values()]
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)]
  if (most <= fewest * (1 + ENTRIES_DIFFERENCE_MAX)) return
  const each = [...entries].map(([events, count]) => `${count} with ${events.toLocaleString('en')} events`)
  throw new Error(`the statements do not compare, because their entries differ: ${each.join(', ')}; generate again`)
}

/** The median of a few answers per round; `share` places the request somewhere in the history. */
function measureAnswers(
  stacks: readonly Stack[],
  part: string,
  name: string,
  operations: (stack: Stack, share: number) => readonly Operation[],
): Promise<Growth[]> {
  return alternating(stacks, {
    ...{ part, name, unit: 'ms', rounds: ROUNDS, warmUpRounds: 2 },
    measure: async (stack, round) => {
      const times: number[] = []
      for (let sample = 0; sample < SAMPLES_PER_ROUND; sample++) {
        // The same shares for each size, and different ones in each round.
        const share = ((round + 3) * SAMPLES_PER_ROUND + sample + 0.5) / ((ROUNDS + 3) * SAMPLES_PER_ROUND)
        const page = { name, person: 'admin', operations: () => operations(stack, share) } as const
        times.push(await openMs(page, stack))
      }
      return median(times)
    },
  })
}
