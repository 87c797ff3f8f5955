/** What is known about an object of the payment provider: its newest description, and the second of that description. */
export type Known<Facts> = {
  readonly facts: Facts
  readonly saidAt: string
  /** The provider was asked after that second had ended, so no other report of that second can be newer. */
  readonly answered: boolean
}

export type Report<Facts> = { readonly facts: Facts; readonly saidAt: string }

/** The provider's answer to a question, and our time of the question. */
export type Answer<Facts> = { readonly facts: Facts; readonly askedAt: string }

/** How far our clock may be ahead of the provider's. */
const CLOCK_SKEW_MS_MAX = 5_000

/**
 * The provider's second that an answer is recorded for: that of the event that led to the question, or of the question
 * itself if later. Our clock may be ahead, and an event from the time in between must not count as older.
 */
export function secondOfAnswer(saidAt: string, askedAt: string): string {
  const askedSecond = Math.floor((Date.parse(askedAt) - CLOCK_SKEW_MS_MAX) / 1_000)
  const second = new Date(askedSecond * 1_000).toISOString()
  return second > saidAt ? second : saidAt
}

/**
 * The knowledge after an answer. It settles the second that it is recorded for only if that second had ended when the
 * provider was asked: more may happen within the second, and then a later report has to ask again. Answers of the first
 * schema version do not say when the question was asked; they settle their second, as they always did.
 */
export function knownFromAnswer<Facts>({
  facts,
  saidAt,
  askedAt,
}: Report<Facts> & { readonly askedAt: string | null }): Known<Facts> {
  const endedAtMs = Date.parse(saidAt) + 1_000
  return { facts, saidAt, answered: askedAt === null || Date.parse(askedAt) >= endedAtMs + CLOCK_SKEW_MS_MAX }
}

/**
 * Reports on one object arrive in any order. The newest by the provider's own time counts, except that a final state
 * stays final. Two reports of the same second that disagree cannot be ordered, so the provider has to be asked.
 */
export function compareReports<Facts extends object>(
  known: Known<Facts> | null,
  report: Report<Facts>,
  isFinal: (facts: Facts) => boolean,
): 'newer' | 'older' | 'ask' {
  if (known === null) return 'newer'
  const final = isFinal(report.facts)
  if (final !== isFinal(known.facts)) return final ? 'newer' : 'older'
  if (report.saidAt !== known.saidAt) return report.saidAt > known.saidAt ? 'newer' : 'older'
  return known.answered || isSame(known.facts, report.facts) ? 'older' : 'ask'
}

function isSame<Facts extends object>(one: Facts, other: Facts): boolean {
  return (Object.keys(one) as (keyof Facts)[]).every((name) => one[name] === other[name])
}
