import { INVOICE, SUBSCRIPTION } from '../billing/billingWords.ts'

type Names = Readonly<Record<string, string>>

/** The names from the billing page, except for ACTION_REQUIRED: here the reader is an operator, not the payer. */
const STATUSES: Readonly<Record<string, Names>> = {
  invoice: { ...namesOf(INVOICE), ACTION_REQUIRED: 'Needs action by the payer' },
  subscription: namesOf(SUBSCRIPTION),
}

/** The effect of a payment event, with readable statuses. Stored effects use the API's names. */
export function effectWords(effect: string): string {
  const [, what = '', id, status = '', settled] =
    /^(invoice|subscription) (\S+): ([A-Z_]+)(?:, settled as ([A-Z_]+))?$/.exec(effect) ?? []
  if (id === undefined) return effect
  const name = (one: string) => STATUSES[what]?.[one] ?? one
  return `${what} ${id}: ${name(status)}${settled === undefined ? '' : `, settled as: ${name(settled)}`}`
}

function namesOf(words: Readonly<Record<string, { readonly name: string }>>): Names {
  return Object.fromEntries(Object.entries(words).map(([status, { name }]) => [status, name]))
}
