import { formatCredits } from '../../../domain/credits.ts'
import { majorUnits } from '../../../domain/price.ts'
import type { Fact } from '../../../projections/trail/trailRecords.ts'

type Facts = Readonly<Record<string, Fact>>

/** Facts whose values are names in capitals, PACK_PURCHASE for example. Other facts may be the words of a person. */
const NAMED = new Set(['billingMode', 'budgetPeriod', 'kind', 'lowBalance', 'role', 'source', 'status', 'summaryBy'])

/** The type of an event as words: ApiKeyMinted is "API key minted". */
export function titleOf(type: string): string {
  const words = wordsOf(type).replace(/^api key/, 'API key')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The title, and what is known beside it. */
export function summaryOf(type: string, facts: Facts): string {
  const said = Object.entries(facts).flatMap(([name, value]) => {
    const text = textOf(name, value, facts)
    return text === null || name === 'currency' ? [] : [text]
  })
  return [titleOf(type), said.join(', ')].filter((part) => part !== '').join(': ')
}

/** null for what is not set. */
function textOf(name: string, value: Fact, facts: Facts): string | null {
  if (value === null) return null
  const { currency } = facts
  if (name.endsWith('Micros'))
    return `${labelOf(name, 'Micros')}${grouped(formatCredits(BigInt(String(value))))} credits`
  if (name.endsWith('Minor') && typeof currency === 'string') {
    return `${labelOf(name, 'Minor')}${grouped(majorUnits(String(value), currency))} ${currency}`
  }
  if (name === 'price' && typeof currency === 'string') return `price ${grouped(String(value))} ${currency}`
  if (typeof value === 'object') return `${wordsOf(name)} ${value.length === 0 ? 'none' : value.join(' ')}`
  if (typeof value === 'boolean') return `${wordsOf(name).replace(/^is /, '')} ${value ? 'yes' : 'no'}`
  return `${wordsOf(name)} ${typeof value === 'number' ? grouped(String(value)) : saidOf(name, value)}`
}

function saidOf(name: string, value: string): string {
  if (NAMED.has(name)) return value.toLowerCase().replaceAll('_', ' ')
  return name.endsWith('At') ? value.replace(/^(.{10})T(.{8})(\.\d+)?Z$/, '$1 $2 UTC') : value
}

/** A decimal number with commas between the thousands of its whole part, as on every page of the console. */
function grouped(decimal: string): string {
  const [whole = '', ...fraction] = decimal.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/** "amount" and "credits" go without saying before a number of credits or of money. */
function labelOf(name: string, unit: string): string {
  const label = wordsOf(name.slice(0, -unit.length))
  return label === 'amount' || label === 'credits' ? '' : `${label} `
}

function wordsOf(camelCase: string): string {
  return camelCase.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}
