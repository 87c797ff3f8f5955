import type { AliasPrice, InputTier, Rates } from '../../contracts/events/pricing.ts'
import { WrongUsage } from '../cli/command.ts'
import { type Decimal, decimalOf, times, wholeUnits } from './decimal.ts'
import {
  FACTOR_EXPONENT,
  type ImportedPrice,
  type ImportedPrices,
  PER_CALL_EXPONENT,
  PER_MILLION_EXPONENT,
  PER_UNIT_EXPONENT,
  RATE_NAMES,
  type RateName,
} from './importedPrice.ts'

/** The columns of rates, in credits for a million tokens: `cached_input` is the rate `cachedInput`, and so on. */
const RATE_COLUMNS: ReadonlyMap<string, RateName> = new Map(
  RATE_NAMES.map((name) => [name.replace(/[A-Z]|\d/g, (letter) => `_${letter.toLowerCase()}`), name]),
)
const OTHER_COLUMNS = ['per_call', 'units', 'service_tiers', 'input_tiers']
const COLUMNS = ['alias', ...RATE_COLUMNS.keys(), ...OTHER_COLUMNS]
const NEEDED = ['alias', 'input', 'output']

/** A size of input such as `>200000`, or `>=200000` if that size is included. */
const THRESHOLD = /^>(=?)([1-9]\d{0,8})$/

/**
 * A table of our own: `alias,input,output`, and any of the other columns. An empty field is a rate that is not set. The last
 * three columns hold lists: `image=0.04 tool:web_search=0.01`, `priority=2 flex=0.5`,
 * `>200000 input=5 output=15; >1000000 input=10 output=30`.
 */
export function csvPrices(text: string, factor: Decimal): ImportedPrices {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const columns = cellsOf(head)
  const absent = NEEDED.filter((name) => !columns.includes(name))
  if (absent.length > 0)
    throw new WrongUsage(`the first line has no column ${absent.join(', ')}; there are ${COLUMNS.join(', ')}`)
  const unknown = columns.filter((name) => !COLUMNS.includes(name))
  if (unknown.length > 0) throw new WrongUsage(`unknown columns ${unknown.join(', ')}: there are ${COLUMNS.join(', ')}`)
  const twice = columns.find((name, n) => columns.indexOf(name) < n)
  if (twice !== undefined) throw new WrongUsage(`the first line has the column ${twice} twice`)
  const prices = new Map<string, ImportedPrice>()
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const place = `line ${index + 2}`
    const cells = cellsOf(line)
    if (cells.length !== columns.length)
      throw new WrongUsage(`${place} has ${cells.length} fields instead of ${columns.length}`)
    const named = new Map(columns.map((column, n) => [column, cells[n] ?? '']))
    const alias = named.get('alias') ?? ''
    if (prices.has(alias)) throw new WrongUsage(`${place} names ${alias} a second time`)
    prices.set(alias, { price: priceOf(named, factor, place), from: place, left: [] })
  }
  return { prices, missing: new Map() }
}

function cellsOf(line: string): string[] {
  if (line.includes('"')) throw new WrongUsage('the file has quotes, which prices and aliases do not need')
  return line.split(',').map((cell) => cell.trim())
}

function priceOf(named: ReadonlyMap<string, string>, factor: Decimal, place: string): AliasPrice {
  const filled = new Map([...named].filter(([, cell]) => cell !== ''))
  const cell = (column: string) => filled.get(column)
  const [units, serviceTiers, inputTiers, perCall] = ['units', 'service_tiers', 'input_tiers', 'per_call'].map(cell)
  const at = (column: string) => `${place}, ${column}`
  return {
    rates: ratesOf(filled, factor, place),
    ...(inputTiers !== undefined && { inputTiers: tiersOf(inputTiers, factor, at('input_tiers')) }),
    ...(units !== undefined && { unitRates: amountsOf(units, factor, PER_UNIT_EXPONENT, at('units')) }),
    ...(serviceTiers !== undefined && {
      tierFactors: factorsOf(serviceTiers, at('service_tiers')),
    }),
    ...(perCall !== undefined && { callMicros: microsOf(perCall, factor, PER_CALL_EXPONENT, at('per_call')) }),
  }
}

function ratesOf(named: ReadonlyMap<string, string>, factor: Decimal, place: string): Rates {
  const rates: { [Name in RateName]?: string } = {}
  for (const [column, name] of RATE_COLUMNS) {
    const cell = named.get(column)
    if (cell !== undefined) rates[name] = microsOf(cell, factor, PER_MILLION_EXPONENT, `${place}, ${column}`)
  }
  const { input, output } = rates
  if (input === undefined || output === undefined) throw new WrongUsage(`${place} needs both input and output`)
  return { ...rates, input, output }
}

function tiersOf(cell: string, factor: Decimal, place: string): InputTier[] {
  return cell.split(';').map((tier) => {
    const [threshold = '', ...rest] = tier.trim().split(/\s+/)
    const [, equal, tokens] = THRESHOLD.exec(threshold) ?? []
    if (tokens === undefined)
      throw new WrongUsage(`${place}: ${JSON.stringify(threshold)} is not a size of input such as >200000 or >=200000`)
    const rates = pairsOf(rest.join(' '), place)
    const unknown = [...rates.keys()].find((name) => !RATE_COLUMNS.has(name))
    if (unknown !== undefined) throw new WrongUsage(`${place}: ${unknown} is not a rate of tokens`)
    return {
      tokens: Number(tokens),
      inclusive: equal === '=',
      rates: ratesOf(rates, factor, `${place}, ${threshold}`),
    }
  })
}

function amountsOf(cell: string, factor: Decimal, exponent: number, place: string): Record<string, string> {
  const pairs = [...pairsOf(cell, place)]
  return Object.fromEntries(
    pairs.map(([name, amount]) => [name, microsOf(amount, factor, exponent, `${place}, ${name}`)]),
  )
}

/** Factors are not rounded, because that would change every rate. They stay as they are if prices are multiplied. */
function factorsOf(cell: string, place: string): Record<string, string> {
  const factors = [...pairsOf(cell, place)].map(([name, text]) => {
    const factor = decimalOf(text, `${place}, ${name}`)
    if (factor.exponent < FACTOR_EXPONENT)
      throw new WrongUsage(`${place}, ${name}: ${text} has more than ${-FACTOR_EXPONENT} places`)
    return [name, wholeUnits(factor, FACTOR_EXPONENT).toString()]
  })
  return Object.fromEntries(factors)
}

/** `image=0.04 tool:web_search=0.01` */
function pairsOf(cell: string, place: string): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of cell.split(/\s+/)) {
    const [name = '', amount, ...more] = pair.split('=')
    if (name === '' || amount === undefined || more.length > 0)
      throw new WrongUsage(`${place}: ${JSON.stringify(pair)} is not a name and an amount such as image=0.04`)
    if (pairs.has(name)) throw new WrongUsage(`${place} names ${name} a second time`)
    pairs.set(name, amount)
  }
  return pairs
}

function microsOf(cell: string, factor: Decimal, exponent: number, place: string): string {
  return wholeUnits(times(decimalOf(cell, place), factor), exponent).toString()
}
