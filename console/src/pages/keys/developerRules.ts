import { budgetIn, isWithin, periodName } from '../../parts/values/budgets.ts'
import { exactCredits, microsOf } from '../../parts/values/credits.ts'
import type { Faults, KeyDraft } from './keyForm.ts'
import type { KeyChoices } from './keyWords.ts'

type Rules = KeyChoices['keyRules']

/**
 * What a developer may not do with a key: get around its budget, its project, its fixed label, its limit of calls in flight, or
 * the rules of the company. `before` is the key that is changed; null for a new one.
 */
export function faultsOfDeveloper(draft: KeyDraft, before: KeyDraft | null, rules: Rules): Faults {
  if (before === null) {
    const isMissing = rules.projectRequired && draft.project === ''
    const budget = maximumFault(budgetIn(draft) ?? rules.defaultBudget, rules)
    return {
      ...(isMissing && { project: 'Choose one of your projects. If there is none, ask an owner or admin.' }),
      ...(budget && { budget }),
    }
  }
  return {
    ...budgetFaults(draft, before, rules),
    ...(before.project !== '' && draft.project !== before.project && { project: KEPT }),
    ...(before.labelFixed && draft.label.trim() !== before.label && { label: KEPT }),
    ...(before.labelFixed && !draft.labelFixed && { labelFixed: KEPT }),
    ...(isRaised(before.callsInFlight, draft.callsInFlight) && {
      callsInFlight: 'Developers can only lower this limit.',
    }),
  }
}

const KEPT = 'Only an owner or admin can change this.'
const DEVELOPERS_LOWER = 'Developers can lower a budget. An owner or admin can raise, replace or remove it.'

function budgetFaults(draft: KeyDraft, before: KeyDraft, rules: Rules): Faults {
  const [had, wanted] = [budgetIn(before), budgetIn(draft)]
  if (had && !(wanted && isWithin(wanted, had))) return { budget: DEVELOPERS_LOWER }
  const isSame = draft.budget === before.budget && draft.period === before.period
  const fault = wanted && !isSame && maximumFault(wanted, rules)
  return fault ? { budget: fault } : {}
}

function maximumFault(budget: ReturnType<typeof budgetIn>, { maximumBudget }: Rules): string | undefined {
  if (maximumBudget === null || (budget && isWithin(budget, maximumBudget))) return undefined
  return `Keys of developers need a budget of at most ${inWords(maximumBudget)}.`
}

function isRaised(before: string, after: string): boolean {
  return before !== '' && (after.trim() === '' || Number(after) > Number(before))
}

/** What the rules say about the budget of a new key. */
export function ruleHint({ defaultBudget, maximumBudget }: Rules): string | undefined {
  const sentences = [
    defaultBudget && `Without one, the key gets ${inWords(defaultBudget)}.`,
    maximumBudget && `At most ${inWords(maximumBudget)}.`,
  ].filter(Boolean)
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

function inWords({ credits, period }: NonNullable<Rules['maximumBudget']>): string {
  return `${exactCredits(microsOf(credits))} credits ${periodName(period)}`
}
