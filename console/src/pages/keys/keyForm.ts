import type { MintApiKeyInput, UpdateApiKeyInput } from '../../graphql/generated.ts'
import { amountFault, type BudgetDraft, budgetDraftOf, budgetIn } from '../../parts/values/budgets.ts'
import { countFault, countIn, countText } from '../../parts/values/counts.ts'
import { type Key, SCOPES } from './keyWords.ts'
import { networkFault, networksIn } from './networks.ts'

/** The fields of the mint and edit dialogs, as typed. */
export type KeyDraft = BudgetDraft & {
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
  readonly labelFixed: boolean
  /** The id of the project; empty: none. */
  readonly project: string
  readonly callsInFlight: string
  /** Networks in CIDR notation, separated by spaces or commas; empty: every network. */
  readonly networks: string
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
  labelFixed: false,
  project: '',
  callsInFlight: '',
  networks: '',
  ...budgetDraftOf(null),
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
    labelFixed: key.labelFixed,
    project: key.projectId ?? '',
    callsInFlight: countText(key.callsInFlight),
    networks: (key.networks ?? []).join(', '),
    ...budgetDraftOf(key.budget),
  }
}

export type Faults = Partial<Record<keyof KeyDraft, string>>

/** What is wrong with the fields, whoever fills them in. */
export function faultsOf(draft: KeyDraft): Faults {
  const typed = draft.typedModel.trim()
  const checked = {
    rpm: countFault(draft.rpm),
    tpm: countFault(draft.tpm),
    budget: amountFault(draft.budget),
    callsInFlight: countFault(draft.callsInFlight),
    networks: networkFault(draft.networks),
  }
  const found = Object.entries(checked).filter(([, fault]) => fault !== undefined)
  return {
    ...(Object.fromEntries(found) as Faults),
    ...(draft.name.trim() === '' && { name: 'Give the key a name, such as the program that uses it.' }),
    ...(draft.scopes.length === 0 && { scopes: 'Choose at least one.' }),
    ...(draft.isLimited && draft.models.length === 0 && { models: 'Choose at least one model, or allow every model.' }),
    ...(draft.isLimited && typed !== '' && { typedModel: `Choose or add “${typed}”, or empty the field.` }),
    ...(draft.labelFixed && draft.label.trim() === '' && { label: 'Enter the label that all calls get.' }),
  }
}

export function mintInput(draft: KeyDraft): MintApiKeyInput {
  const [budget, callsInFlight, networks] = [budgetIn(draft), countIn(draft.callsInFlight), networksIn(draft.networks)]
  return {
    name: draft.name.trim(),
    scopes: draft.scopes,
    ...(draft.isLimited && { models: draft.models }),
    ...(draft.rpm !== '' && { rpm: Number(draft.rpm) }),
    ...(draft.tpm !== '' && { tpm: Number(draft.tpm) }),
    ...(draft.expires !== '' && { expiresAt: new Date(draft.expires).toISOString() }),
    ...(draft.label.trim() !== '' && { label: draft.label.trim() }),
    ...(budget && { budget }),
    ...(draft.project !== '' && { projectId: draft.project }),
    ...(draft.labelFixed && { labelFixed: true }),
    ...(callsInFlight && { callsInFlight }),
    ...(networks && { networks }),
  }
}

/** Only what was changed, so that two people who edit different fields do not undo each other's change. */
export function updateInput(before: KeyDraft, draft: KeyDraft): UpdateApiKeyInput {
  const changed = (...fields: readonly (keyof KeyDraft)[]) =>
    fields.some((field) => String(before[field]) !== String(draft[field]))
  const budget = budgetIn(draft)
  return {
    ...(changed('name') && { name: draft.name.trim() }),
    ...(changed('scopes') && { scopes: draft.scopes }),
    ...(changed('isLimited', 'models') && { models: draft.isLimited ? draft.models : null }),
    ...(changed('rpm') && draft.rpm !== '' && { rpm: Number(draft.rpm) }),
    ...(changed('tpm') && draft.tpm !== '' && { tpm: Number(draft.tpm) }),
    ...(changed('expires') && { expiresAt: draft.expires === '' ? null : new Date(draft.expires).toISOString() }),
    ...(changed('label') && { label: draft.label.trim() || null }),
    ...(changed('budget', 'period') && (before.budget !== '' || budget !== null) && { budget }),
    ...(changed('project') && { projectId: draft.project || null }),
    ...(changed('labelFixed') && { labelFixed: draft.labelFixed }),
    ...(changed('callsInFlight') && { callsInFlight: countIn(draft.callsInFlight) }),
    ...(changed('networks') && { networks: networksIn(draft.networks) }),
  }
}

/** The value of a datetime-local field: local time, to the minute. */
function localField(iso: string): string {
  const at = new Date(iso)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
