/** What is known about an object of the payment provider: its newest description, and the second of that description. */
export type Known<Facts> = {
  readonly facts: Facts
  readonly saidAt: string
  /** The provider was asked about that second, so no other report of that second can be newer. */
  readonly answered: boolean
}

export type Report<Facts> = { readonly facts: Facts; readonly saidAt: string }

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
