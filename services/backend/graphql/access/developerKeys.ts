import type { KeyBudget } from '../../../../contracts/events/apiKey.ts'
import type { KeyRules } from '../../../../contracts/events/company.ts'
import type { KeySettings } from '../../../../domain/apiKey/decider.ts'
import { type Budget, isWithin } from '../../../../domain/budget.ts'
import { formatCredits } from '../../../../domain/credits.ts'
import { unexpected } from '../../../../domain/decider.ts'
import { apiError } from '../apiError.ts'

/** What decides which keys a developer may have. */
export type DeveloperRights = {
  readonly rules: KeyRules
  readonly isMemberOf: (projectId: string) => boolean
}

/** The settings of a key that limit what its developer may change. */
export type PresentKey = {
  readonly projectId: string | null
  readonly label: string | null
  readonly labelFixed: boolean
  readonly callsInFlight: number | null
  /** That of the rotation. */
  readonly budget: KeyBudget | null
}

/** The budget of a key that a developer mints: the named one, or that of the rules. */
export function budgetOfNewKey(named: Budget | null, { defaultBudget }: KeyRules): Budget | null {
  if (named !== null || defaultBudget === null) return named
  return { amountMicros: BigInt(defaultBudget.amountMicros), period: defaultBudget.period }
}

/** Refuses a key that the developer may not mint. A rotated key is a new one, so it has to follow the same rules. */
export function requireMintable(
  { budget, projectId }: { readonly budget: Budget | null; readonly projectId: string | null },
  { rules, isMemberOf }: DeveloperRights,
): void {
  requireWithinMaximum(budget, rules)
  if (projectId === null && rules.projectRequired) {
    throw apiError('FORBIDDEN', 'a key of a developer must be in a project: name one that you are a member of')
  }
  if (projectId !== null) requireMember(projectId, isMemberOf)
}

/** Refuses changes by which a developer would get around a limit of the key or of the company. */
export function requireAllowedChanges(
  present: PresentKey,
  changes: Partial<KeySettings>,
  { rules, isMemberOf }: DeveloperRights,
): void {
  const { budget, projectId, callsInFlight } = changes
  if (budget !== undefined) requireNoRaise(present.budget, budget)
  if (budget) requireWithinMaximum(budget, rules)
  if (projectId !== undefined && projectId !== present.projectId) {
    if (present.projectId !== null) {
      throw apiError('FORBIDDEN', 'a developer cannot take a key out of its project or move it to another one')
    }
    if (projectId !== null) requireMember(projectId, isMemberOf)
  }
  requireLabelKept(present, changes)
  const most = present.callsInFlight
  if (callsInFlight === undefined || most === null) return
  if (callsInFlight === null || callsInFlight > most) {
    throw apiError(
      'FORBIDDEN',
      `a developer can lower callsInFlight of a key, which is ${most}, but not raise or remove it`,
    )
  }
}

function requireLabelKept(present: PresentKey, { label, labelFixed }: Partial<KeySettings>): void {
  if (!present.labelFixed) return
  const isOther = label !== undefined && label !== present.label
  if (!isOther && labelFixed !== false) return
  throw apiError(
    'FORBIDDEN',
    `the label of this key is fixed to "${present.label}": a developer cannot change or unfix it`,
  )
}

/** A developer may give a key a budget and lower it. */
function requireNoRaise(present: KeyBudget | null, wanted: Budget | null): void {
  if (!present || (wanted && isWithin(storedLike(wanted), present))) return
  throw apiError('FORBIDDEN', 'a developer can lower the budget of a key, but not raise, replace or remove it')
}

/** A key without a budget could spend more than any maximum. */
function requireWithinMaximum(budget: Budget | null, { maximumBudget }: KeyRules): void {
  if (maximumBudget === null || (budget && isWithin(storedLike(budget), maximumBudget))) return
  throw apiError(
    'FORBIDDEN',
    `a key of a developer needs a budget of at most ${budgetInWords(maximumBudget)}, with the period ${maximumBudget.period}`,
  )
}

function requireMember(projectId: string, isMemberOf: (projectId: string) => boolean): void {
  if (isMemberOf(projectId)) return
  throw apiError(
    'FORBIDDEN',
    `a developer can put keys only into projects that they are a member of, not into ${projectId}`,
  )
}

function storedLike({ amountMicros, period }: Budget): KeyBudget {
  return { amountMicros: String(amountMicros), period }
}

function budgetInWords({ amountMicros, period }: KeyBudget): string {
  const credits = `${formatCredits(BigInt(amountMicros))} credits`
  switch (period) {
    case 'DAY':
      return `${credits} a day`
    case 'MONTH':
      return `${credits} a month`
    case 'TOTAL':
      return `${credits} in total`
    default:
      return unexpected(period)
  }
}
