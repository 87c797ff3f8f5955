import type {
  BudgetPeriod,
  CallLimitFieldsFragment,
  ProjectFieldsFragment,
  ProjectsQuery,
} from '../../graphql/generated.ts'
import { countFault, countIn, countText } from '../../parts/values/counts.ts'

export type Project = ProjectFieldsFragment
export type Budget = ProjectsQuery['budgets'][number]
export type Limits = CallLimitFieldsFragment
export type Rules = ProjectsQuery['keyRules']

/** A person who can be a member. */
export type Person = { readonly id: string; readonly email: string }

/** The budget of a project with what is spent of it. That of an archived one is not listed, so its spend is not known. */
export function budgetOf(
  { id, budget }: Pick<Project, 'id' | 'budget'>,
  budgets: readonly Budget[],
): { readonly credits: number; readonly period: BudgetPeriod; readonly spent?: number } | null {
  return budgets.find(({ level, targetId }) => level === 'PROJECT' && targetId === id) ?? budget
}

export function isUsedUp(budget: { readonly credits: number; readonly spent?: number } | null): boolean {
  return budget?.spent !== undefined && budget.spent >= budget.credits
}

/** The people to choose members from, with members who have left the company and can only be taken out. */
export function candidates(people: readonly Person[], members: readonly string[]): Person[] {
  const gone = members.filter((id) => !people.some((person) => person.id === id))
  return [
    ...people.toSorted((a, b) => a.email.localeCompare(b.email)),
    ...gone.map((id) => ({ id, email: `a former member (${id.slice(0, 8)})` })),
  ]
}

export type LimitsDraft = { readonly rpm: string; readonly tpm: string; readonly callsInFlight: string }

export function limitsDraftOf({ rpm, tpm, callsInFlight }: Limits): LimitsDraft {
  return { rpm: countText(rpm), tpm: countText(tpm), callsInFlight: countText(callsInFlight) }
}

export const NO_LIMITS: LimitsDraft = { rpm: '', tpm: '', callsInFlight: '' }

/** The limits as a whole: one that is left out does not hold. */
export function limitsIn({ rpm, tpm, callsInFlight }: LimitsDraft) {
  return { rpm: countIn(rpm), tpm: countIn(tpm), callsInFlight: countIn(callsInFlight) }
}

export type LimitFaults = Partial<Record<keyof LimitsDraft, string>>

export function limitFaults(draft: LimitsDraft): LimitFaults {
  const faults = Object.entries(draft).map(([name, typed]) => [name, countFault(typed)] as const)
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined)) as LimitFaults
}

/** The limits in words, such as “600 requests a minute”; empty if there are none. */
export function limitWords({ rpm, tpm, callsInFlight }: Limits): string[] {
  const count = new Intl.NumberFormat('en', { notation: 'compact' })
  const words = (limit: number | null, what: string) => (limit === null ? [] : [`${count.format(limit)} ${what}`])
  return [...words(rpm, 'req/min'), ...words(tpm, 'tok/min'), ...words(callsInFlight, 'in flight')]
}
