import { type Check, check } from '../engines/enginesVerdict.ts'

/** What was seen while companies were created and scrubs ran. */
export type ScrubsSeen = {
  readonly companies: number
  /** Requests of the soak itself that failed while the installation ran. */
  readonly failures: readonly string[]
  /** Faults that `/health` reported, and how often it was asked. */
  readonly alarms: readonly string[]
  readonly looks: number
  readonly scrubs: number
  readonly scrubsMin: number
  /** How many differences a scrub or the sealer has found and not confirmed. */
  readonly suspicions: number
  readonly audits: readonly { readonly code: number | null; readonly output: string }[]
  readonly sealed: {
    readonly events: number
    readonly entries: number
    readonly companies: number
    readonly signed: number
  }
}

export function judgeScrubs(seen: ScrubsSeen): Check[] {
  const { companies, failures, alarms, looks, scrubs, scrubsMin, suspicions, audits, sealed } = seen
  const failed = audits.filter(({ code }) => code !== 0).map(({ code, output }) => `exit code ${code}: ${output}`)
  const isWhole = sealed.entries === sealed.events && sealed.signed === sealed.events && sealed.companies > companies
  return [
    check(
      'companies are created all the time',
      companies > 0 ? failures : ['none', ...failures],
      `${companies} companies`,
    ),
    check('no false alarm', alarms, `/health asked ${looks} times`),
    check(
      'no difference is found, even for a moment',
      suspicions === 0 ? [] : [`${suspicions} were read again`],
      "none in the installation's log",
    ),
    check('scrubs run all the time', scrubs >= scrubsMin ? [] : [`only ${scrubs}`], `at least ${scrubs} whole scrubs`),
    check('audits meanwhile find nothing', audits.length > 0 ? failed : ['none ran'], `${audits.length} audits`),
    check(
      'every event is sealed and signed',
      isWhole
        ? []
        : [
            `${sealed.entries} entries of ${sealed.companies} companies, ${sealed.signed} signed, of ${sealed.events} events`,
          ],
      `${sealed.entries} entries of ${sealed.companies} companies`,
    ),
  ]
}
