/** A description of an object by the payment provider. */
export type ProviderReport<Facts> = {
  readonly facts: Facts
  /** The provider's own time of it, to the second. */
  readonly saidAt: string
  /** For an answer to a question: when it was asked. */
  readonly askedAt?: string | null | undefined
  /** It counts whatever was reported before. */
  readonly always?: boolean
}

export type Newest<Facts> = { readonly facts: Facts; readonly saidAt: string; readonly isSettled: boolean }

const SECOND_MS = 1_000
const SKEW_MS = 5_000

/**
 * What is known of an object whose reports arrive in any order: the newest by the provider's time, except that a final
 * state stays final. Reports of one second cannot be ordered; an answer to a question decides, and if the question was asked
 * after that second, no other report of it counts.
 */
export function newest<Facts extends { readonly status: string }>(
  reports: readonly ProviderReport<Facts>[],
  isFinal: (facts: Facts) => boolean,
): Newest<Facts> | null {
  let known: Newest<Facts> | null = null
  for (const { facts, saidAt, askedAt, always = false } of reports) {
    const ms: number = Date.parse(saidAt)
    if (askedAt !== undefined) {
      const isSettled: boolean = askedAt === null || Date.parse(askedAt) - ms >= SECOND_MS + SKEW_MS
      known = { facts, saidAt, isSettled }
    } else if (
      always ||
      known === null ||
      (isFinal(facts) === isFinal(known.facts) ? ms > Date.parse(known.saidAt) : isFinal(facts))
    ) {
      known = { facts, saidAt, isSettled: false }
    }
  }
  return known
}
