import type { BudgetPeriod, MintApiKeyInput, UpdateApiKeyInput } from '../../graphql/generated.ts'
import { type Key, SCOPES } from './keyWords.ts'

/** The fields of the mint and edit dialogs, as typed. */
export type KeyDraft = {
  readonly name: string
  readonly scopes: readonly string[]
  /** Whether the key may call only `models`. */
  readonly isLimited: boolean
  readonly models: readonly string[]
  /** Finds models, or names one that is not listed. */
  readonly typedModel: string
  readonly rpm: string
  readonly tpm: string
  /** A local date and time from a datetime-local field; empty: never. */
  readonly expires: string
  readonly label: string
  readonly budget: string
  readonly period: BudgetPeriod
}

export const NEW_KEY: KeyDraft = {
  name: '',
  scopes: SCOPES.filter(({ byDefault }) => byDefault).map(({ value }) => value),
  isLimited: false,
  models: [],
  typedModel: '',
  rpm: '',
  tpm: '',
  expires: '',
  label: '',
  budget: '',
  period: 'MONTH',
}

export function draftOf(key: Key): KeyDraft {
  return {
    name: key.name,
    scopes: key.scopes,
    isLimited: key.models !== null,
    models: key.models ?? [],
    typedModel: '',
    rpm: String(key.rpm),
    tpm: String(key.tpm),
    expires: key.expiresAt === null ? '' : localField(key.expiresAt),
    label: key.label ?? '',
    budget: key.budget === null ? '' : String(key.budget.credits),
    period: key.budget?.period ?? 'MONTH',
  }
}

export type Faults = Partial<Record<keyof KeyDraft, string>>

/** `lowersFrom` is the key before an edit by a developer, who can lower its budget and nothing else of it. */
export function faultsOf(draft: KeyDraft, lowersFrom?: KeyDraft): Faults {
  const typed = draft.typedModel.trim()
  return {
    ...(draft.name.trim() === '' && { name: 'Give the key a name, such as the program that uses it.' }),
    ...(draft.scopes.length === 0 && { scopes: 'Choose at least one.' }),
    ...(draft.isLimited && draft.models.length === 0 && { models: 'Choose at least one model, or allow every model.' }),
    ...(draft.isLimited && typed !== '' && { typedModel: `Choose or add “${typed}”, or empty the field.` }),
    ...(!isCount(draft.rpm) && { rpm: 'Enter a whole number of 1 or more.' }),
    ...(!isCount(draft.tpm) && { tpm: 'Enter a whole number of 1 or more.' }),
    ...(lowersFrom && !isLowered(lowersFrom, draft) && { budget: DEVELOPERS_LOWER }),
    ...(!isAmount(draft.budget) && { budget: 'Enter a number of credits above 0, with up to six decimals.' }),
  }
}

const DEVELOPERS_LOWER = 'Developers can lower a budget. An owner or admin can raise, replace or remove it.'

function isLowered(before: KeyDraft, { budget, period }: KeyDraft): boolean {
  if (before.budget === '') return true
  return budget !== '' && period === before.period && Number(budget) <= Number(before.budget)
}

export function mintInput(draft: KeyDraft): MintApiKeyInput {
  return {
    name: draft.name.trim(),
    scopes: draft.scopes,
    ...(draft.isLimited && { models: draft.models }),
    ...(draft.rpm !== '' && { rpm: Number(draft.rpm) }),
    ...(draft.tpm !== '' && { tpm: Number(draft.tpm) }),
    ...(draft.expires !== '' && { expiresAt: new Date(draft.expires).toISOString() }),
    ...(draft.label.trim() !== '' && { label: draft.label.trim() }),
    ...(draft.budget !== '' && { budget: { credits: Number(draft.budget), period: draft.period } }),
  }
}

/** Only what was changed, so that two people who edit different fields do not undo each other's change. */
export function updateInput(before: KeyDraft, draft: KeyDraft): UpdateApiKeyInput {
  const changed = (...fields: readonly (keyof KeyDraft)[]) =>
    fields.some((field) => String(before[field]) !== String(draft[field]))
  const budget = draft.budget === '' ? null : { credits: Number(draft.budget), period: draft.period }
  return {
    ...(changed('name') && { name: draft.name.trim() }),
    ...(changed('scopes') && { scopes: draft.scopes }),
    ...(changed('isLimited', 'models') && { models: draft.isLimited ? draft.models : null }),
    ...(changed('rpm') && draft.rpm !== '' && { rpm: Number(draft.rpm) }),
    ...(changed('tpm') && draft.tpm !== '' && { tpm: Number(draft.tpm) }),
    ...(changed('expires') && { expiresAt: draft.expires === '' ? null : new Date(draft.expires).toISOString() }),
    ...(changed('label') && { label: draft.label.trim() || null }),
    ...(changed('budget', 'period') && (before.budget !== '' || budget !== null) && { budget }),
  }
}

function isCount(text: string): boolean {
  return text === '' || (/^\d+$/.test(text) && Number(text) > 0)
}

function isAmount(text: string): boolean {
  return text === '' || (/^\d+(\.\d{1,6})?$/.test(text) && Number(text) > 0)
}

/** The value of a datetime-local field: local time, to the minute. */
function localField(iso: string): string {
  const at = new Date(iso)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
