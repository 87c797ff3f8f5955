import { randomUUID } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { Installation } from '../../capabilities/installation.ts'
import { pricingStream } from '../../contracts/streams.ts'
import { formatCredits } from '../../domain/credits.ts'
import { pricingDecider, requirePriceChanges } from '../../domain/pricing/decider.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import { databaseNowMs } from '../../platform/postgres/databaseTime.ts'
import { companies } from '../../projections/companies/projection.ts'
import { companyById } from '../../projections/companies/queries.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { priceBooks } from '../../projections/priceBooks/projection.ts'
import { priceBooksFor, pricesIn } from '../../projections/priceBooks/queries.ts'
import { previewOf } from '../../services/backend/graphql/credits/pricePreview.ts'
import type { PricePreview } from '../../services/backend/graphql/generated.ts'
import { questionsTo } from '../admin/questions.ts'
import { WrongUsage } from '../cli/command.ts'
import { withInstallation } from '../cli/withInstallation.ts'
import { draftOf, draftText, type PriceDraft } from './priceDraft.ts'
import { type ReadOptions, readPrices } from './readPrices.ts'

export type ImportOptions = ReadOptions & {
  readonly company?: string | undefined
  readonly from?: string | undefined
  readonly days?: string | undefined
  readonly publish?: boolean | undefined
  readonly json?: boolean | undefined
}

const DAYS_DEFAULT = 7
const DAYS_MAX = 366
const DAY_MS = 86_400_000
const ACTOR = { kind: 'system', name: 'prices' } as const

type Published = { readonly bookId: string; readonly effectiveFrom: string }

/** Shows what the prices of a file would change, and publishes them if that is confirmed. */
export async function importPrices(file: string, options: ImportOptions): Promise<number> {
  const { company = null, publish = false, json = false } = options
  const imported = await readPrices(file, options)
  const days = daysOf(options.days)
  const effectiveFrom = options.from === undefined ? null : timeOf(options.from)
  return withInstallation(
    async (engines) => {
      if (company !== null && !(await companyById(engines.database, company)))
        throw new WrongUsage(`there is no company ${company}`)
      const books = await priceBooksFor(engines.database, company)
      const draft = draftOf(imported, pricesIn(books, isoTime(systemClock.now())))
      const changes = {
        companyId: company,
        prices: Object.fromEntries(draft.changed.map(({ alias, price }) => [alias, price])),
        retired: [],
      }
      if (draft.changed.length > 0) requirePriceChanges(changes)
      const preview = draft.changed.length > 0 ? await previewedOver(engines, changes, days) : NO_PREVIEW
      if (!json) process.stdout.write(draftText(draft) + previewText(preview, days))
      const isWanted = draft.changed.length > 0 && (publish || (!json && (await isConfirmed(draft))))
      const published = isWanted ? await publishBook(engines, { ...changes, effectiveFrom }) : null
      process.stdout.write(
        json ? `${JSON.stringify({ ...draft, ...preview, published }, null, 2)}\n` : endText(published, draft),
      )
      return 0
    },
    { reads: [priceBooks, companies, creditTransactions] },
  )
}

function daysOf(option: string | undefined): number {
  const days = Number(option ?? DAYS_DEFAULT)
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX) throw new WrongUsage(`--days takes 1 to ${DAYS_MAX}`)
  return days
}

function timeOf(option: string): string {
  const ms = Date.parse(option)
  if (Number.isNaN(ms)) throw new WrongUsage(`--from takes a time such as 2026-12-01T00:00:00Z, not ${option}`)
  return isoTime(ms)
}

type Changes = Parameters<typeof previewOf>[1]

/** What calls would have cost, or why that was not computed: a period may have too many. */
type Preview = { readonly preview: PricePreview | null; readonly previewRefused: string | null }
const NO_PREVIEW: Preview = { preview: null, previewRefused: null }

async function previewedOver(engines: Installation, changes: Changes, days: number): Promise<Preview> {
  const now = systemClock.now()
  const runtime = { engines, clock: systemClock } as Parameters<typeof previewOf>[0]
  try {
    const preview = await previewOf(runtime, changes, { from: isoTime(now - days * DAY_MS), to: isoTime(now) })
    return { preview, previewRefused: null }
  } catch (error) {
    // A day that is too busy to be computed again must not prevent new prices.
    if (!(error instanceof GraphQLError && error.extensions.code === 'BAD_USER_INPUT')) throw error
    return { preview: null, previewRefused: error.message }
  }
}

function previewText({ preview, previewRefused }: Preview, days: number): string {
  const period = days === 1 ? 'last day' : `last ${days} days`
  if (previewRefused !== null) {
    return `The calls of the ${period} were not computed with these prices: ${previewRefused} with --days.\n`
  }
  if (preview === null) return ''
  const { calls, oldAmountMicros, newAmountMicros } = preview
  const [before, after] = [oldAmountMicros, newAmountMicros].map((micros) => formatCredits(BigInt(micros)))
  const what = calls === 1 ? 'The only call' : `The ${calls} calls`
  return `${what} of the ${period} cost ${before} credits, and would have cost ${after}.\n`
}

async function isConfirmed({ changed }: PriceDraft): Promise<boolean> {
  const questions = questionsTo(process.stdin, (text) => process.stderr.write(text))
  if (!questions.isInteractive) return false
  return /^y(es)?$/i.test(await questions.ask(`Publish the prices of ${changed.length} aliases? yes or no`, 'no'))
}

async function publishBook(
  engines: Installation,
  { effectiveFrom, ...changes }: Changes & { readonly effectiveFrom: string | null },
): Promise<Published> {
  const bookId = randomUUID()
  // By the later one of two clocks, a lead is never too short.
  const at = isoTime(Math.max(systemClock.now(), await databaseNowMs(engines.database)))
  const command = { type: 'PublishPriceBook', bookId, effectiveFrom, ...changes, at } as const
  const { events } = await engines.commands.handle(pricingDecider, pricingStream(changes.companyId), command, {
    commandId: bookId,
    correlationId: bookId,
    actor: ACTOR,
  })
  return { bookId, effectiveFrom: events[0]?.data.effectiveFrom ?? at }
}

function endText(published: Published | null, { changed }: PriceDraft): string {
  if (published) return `Published as price book ${published.bookId}, in effect from ${published.effectiveFrom}.\n`
  return changed.length === 0 ? 'Nothing to publish.\n' : 'Nothing was published; --publish publishes these prices.\n'
}
