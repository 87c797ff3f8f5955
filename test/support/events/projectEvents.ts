import type { KeyBudget } from '../../../contracts/events/apiKey.ts'
import type { CallLimits } from '../../../contracts/events/callLimits.ts'
import type { CompanyEvent, KeyRules } from '../../../contracts/events/company.ts'
import type { EventData } from '../../../contracts/events/eventsByCategory.ts'
import type { ProjectEvent } from '../../../contracts/events/project.ts'
import { AT } from './ledgerEvents.ts'

export const BUDGET: KeyBudget = { amountMicros: '5000000', period: 'MONTH' }
const LIMITS: CallLimits = { rpm: 600, tpm: null, callsInFlight: 8 }
const BY = '22222222-2222-4222-8222-222222222222'
const set = { setBy: BY, setAt: AT }

export function projectCreated(
  projectId: string,
  companyId: string,
  changes: Partial<EventData<'ProjectCreated'>> = {},
): ProjectEvent {
  const settings = { name: 'Search', memberIds: [], limits: { rpm: null, tpm: null, callsInFlight: null } }
  return {
    type: 'ProjectCreated',
    data: { projectId, companyId, ...settings, createdBy: BY, createdAt: AT, ...changes },
  }
}

export function projectUpdated(projectId: string, changes: Partial<EventData<'ProjectUpdated'>>): ProjectEvent {
  return { type: 'ProjectUpdated', data: { projectId, ...changes, updatedBy: BY, updatedAt: AT } }
}

export function projectBudgetSet(projectId: string, budget: KeyBudget | null = BUDGET): ProjectEvent {
  return { type: 'ProjectBudgetSet', data: { projectId, budget, ...set } }
}

export function companyBudgetSet(companyId: string, budget: KeyBudget | null = BUDGET): CompanyEvent {
  return { type: 'CompanyBudgetSet', data: { companyId, budget, ...set } }
}

export function labelBudgetSet(companyId: string, label: string, budget: KeyBudget | null = BUDGET): CompanyEvent {
  return { type: 'LabelBudgetSet', data: { companyId, label, budget, ...set } }
}

export function companyLimitsSet(companyId: string, limits: CallLimits = LIMITS): CompanyEvent {
  return { type: 'CompanyLimitsSet', data: { companyId, limits, ...set } }
}

export function keyRulesSet(companyId: string, changes: Partial<KeyRules> = {}): CompanyEvent {
  const rules = { defaultBudget: BUDGET, maximumBudget: BUDGET, projectRequired: true, ...changes }
  return { type: 'KeyRulesSet', data: { companyId, rules, ...set } }
}
