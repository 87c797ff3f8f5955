import { WrongUsage } from '../cli/command.ts'
import { type Decimal, decimalOf, times, wholeUnits } from './decimal.ts'
import type { ImportedPrice, ImportedPrices, RateName } from './importedPrice.ts'

/** The columns, in credits for a million tokens, and per call. */
const COLUMNS: Readonly<Record<string, RateName>> = {
  input: 'inputMicrosPerMillionTokens',
  cached_input: 'cachedInputMicrosPerMillionTokens',
  cache_write: 'cacheWriteMicrosPerMillionTokens',
  output: 'outputMicrosPerMillionTokens',
  per_call: 'perCallMicros',
}
const NEEDED = ['alias', 'input', 'output']
const MICROS_EXPONENT = -6

/** A table of our own: `alias,input,output`, and any of the other columns. An empty field is a rate that is not set. */
export function csvPrices(text: string, factor: Decimal): ImportedPrices {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const columns = cellsOf(head)
  const wanted = ['alias', ...Object.keys(COLUMNS)].join(', ')
  const absent = NEEDED.filter((name) => !columns.includes(name))
  if (absent.length > 0) throw new WrongUsage(`the first line has no column ${absent.join(', ')}; there are ${wanted}`)
  const unknown = columns.filter((name) => name !== 'alias' && !Object.hasOwn(COLUMNS, name))
  if (unknown.length > 0) throw new WrongUsage(`unknown columns ${unknown.join(', ')}: there are ${wanted}`)
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

function priceOf(named: ReadonlyMap<string, string>, factor: Decimal, place: string): ImportedPrice['price'] {
  const rates: Partial<Record<RateName, string>> = {}
  for (const [column, rate] of Object.entries(COLUMNS)) {
    const cell = named.get(column) ?? ''
    if (cell === '') continue
    rates[rate] = wholeUnits(times(decimalOf(cell, `${place}, ${column}`), factor), MICROS_EXPONENT).toString()
  }
  const { inputMicrosPerMillionTokens: input, outputMicrosPerMillionTokens: output } = rates
  if (input === undefined || output === undefined) throw new WrongUsage(`${place} needs both input and output`)
  return { ...rates, inputMicrosPerMillionTokens: input, outputMicrosPerMillionTokens: output }
}
