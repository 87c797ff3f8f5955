import { INVOICE, SUBSCRIPTION } from '../billing/billingWords.ts'

type Names = Readonly<Record<string, string>>

/** The billing page's words, except for ACTION_REQUIRED: the reader of this page is an operator and not the payer. */
const STATUSES: Readonly<Record<string, Names>> = {
  invoice: { ...namesOf(INVOICE), ACTION_REQUIRED: 'Needs action by the payer' },
  subscription: namesOf(SUBSCRIPTION),
}

/** What a payment event changed, with statuses in words. Stored effects have the names of the API. */
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
