import type { KeyBudget } from '../../contracts/events/apiKey.ts'
import type { CallLimits } from '../../contracts/events/callLimits.ts'
import type { CompanyEvent, KeyRules } from '../../contracts/events/company.ts'
import { LABEL_BUDGETS_MAX } from '../../contracts/limits.ts'
import { isUsageLabel, USAGE_LABEL_RULE } from '../../contracts/usageLabel.ts'
import { type Budget, isWithin, sameBudget, storedBudget } from '../budget.ts'
import { NO_LIMITS, requireLimits, sameLimits } from '../callLimits.ts'
import { Refusal, unexpected } from '../decider.ts'

export const NO_KEY_RULES: KeyRules = { defaultBudget: null, maximumBudget: null, projectRequired: false }

type SpendingEvent = Extract<
  CompanyEvent,
  { type: 'CompanyBudgetSet' | 'LabelBudgetSet' | 'CompanyLimitsSet' | 'KeyRulesSet' }
>

/** What the keys of a company may spend and use together, and what keys of developers may have. */
export type Spending = {
  readonly budget: KeyBudget | null
  /** By label, without removed ones. */
  readonly labelBudgets: Readonly<Record<string, KeyBudget>>
  readonly limits: CallLimits
  readonly keyRules: KeyRules
}

const NOTHING_SET: Spending = { budget: null, labelBudgets: {}, limits: NO_LIMITS, keyRules: NO_KEY_RULES }

export function evolveSpending(spending: Spending = NOTHING_SET, event: SpendingEvent): Spending {
  switch (event.type) {
    case 'CompanyBudgetSet':
      return { ...spending, budget: event.data.budget }
    case 'LabelBudgetSet': {
      const { label, budget } = event.data
      const { [label]: _, ...others } = spending.labelBudgets
      return { ...spending, labelBudgets: budget ? { ...others, [label]: budget } : others }
    }
    case 'CompanyLimitsSet':
      return { ...spending, limits: event.data.limits }
    case 'KeyRulesSet':
      return { ...spending, keyRules: event.data.rules }
    default:
      return unexpected(event)
  }
}

type Subject = { readonly companyId: string; readonly by: string; readonly at: string }

export type SpendingCommand =
  | ({ readonly type: 'SetCompanyBudget'; readonly budget: Budget | null } & Subject)
  | ({ readonly type: 'SetLabelBudget'; readonly label: string; readonly budget: Budget | null } & Subject)
  | ({ readonly type: 'SetCompanyLimits'; readonly limits: CallLimits } & Subject)
  | ({
      readonly type: 'SetKeyRules'
      readonly rules: {
        readonly defaultBudget: Budget | null
        readonly maximumBudget: Budget | null
        readonly projectRequired: boolean
      }
    } & Subject)

export function decideSpending(command: SpendingCommand, spending: Spending = NOTHING_SET): SpendingEvent[] {
  const { companyId, by: setBy, at: setAt } = command
  switch (command.type) {
    case 'SetCompanyBudget': {
      const budget = storedBudget(command.budget, 'the budget of a company')
      if (sameBudget(budget, spending.budget)) return []
      return [{ type: 'CompanyBudgetSet', data: { companyId, budget, setBy, setAt } }]
    }
    case 'SetLabelBudget': {
      const { label } = command
      const budget = storedBudget(command.budget, 'the budget of a label')
      if (!isUsageLabel(label)) throw new Refusal('INVALID', `label must be ${USAGE_LABEL_RULE}`)
      if (sameBudget(budget, budgetOfLabel(spending, label))) return []
      requireRoom(label, spending.labelBudgets)
      return [{ type: 'LabelBudgetSet', data: { companyId, label, budget, setBy, setAt } }]
    }
    case 'SetCompanyLimits': {
      const limits = requireLimits(command.limits)
      if (sameLimits(limits, spending.limits)) return []
      return [{ type: 'CompanyLimitsSet', data: { companyId, limits, setBy, setAt } }]
    }
    case 'SetKeyRules': {
      const rules = requireRules(command.rules)
      if (sameRules(rules, spending.keyRules)) return []
      return [{ type: 'KeyRulesSet', data: { companyId, rules, setBy, setAt } }]
    }
    default:
      return unexpected(command)
  }
}

function budgetOfLabel({ labelBudgets }: Spending, label: string): KeyBudget | null {
  // A label may have the name of a member that every object has, such as "constructor".
  return Object.hasOwn(labelBudgets, label) ? (labelBudgets[label] ?? null) : null
}

function requireRoom(label: string, labelBudgets: Spending['labelBudgets']): void {
  if (Object.hasOwn(labelBudgets, label) || Object.keys(labelBudgets).length < LABEL_BUDGETS_MAX) return
  throw new Refusal('CONFLICT', `a company has at most ${LABEL_BUDGETS_MAX} labels with a budget: remove one first`)
}

function requireRules(rules: Extract<SpendingCommand, { type: 'SetKeyRules' }>['rules']): KeyRules {
  const defaultBudget = storedBudget(rules.defaultBudget, 'the default budget of keys')
  const maximumBudget = storedBudget(rules.maximumBudget, 'the maximum budget of keys')
  if (defaultBudget && maximumBudget && !isWithin(defaultBudget, maximumBudget)) {
    throw new Refusal(
      'INVALID',
      'defaultBudget must have the same period as maximumBudget and at most as many credits, or be left out',
    )
  }
  return { defaultBudget, maximumBudget, projectRequired: rules.projectRequired }
}

function sameRules(one: KeyRules, other: KeyRules): boolean {
  return (
    sameBudget(one.defaultBudget, other.defaultBudget) &&
    sameBudget(one.maximumBudget, other.maximumBudget) &&
    one.projectRequired === other.projectRequired
  )
}
