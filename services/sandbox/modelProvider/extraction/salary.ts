export type Salary = {
  readonly min: number | null
  readonly max: number | null
  readonly currency: string | null
  readonly period: string | null
}

const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', '¥': 'JPY' }
const WORDS: Readonly<Record<string, string>> = {
  euro: 'EUR',
  euros: 'EUR',
  pounds: 'GBP',
  dollars: 'USD',
  franken: 'CHF',
}
const CODE = 'EUR|USD|GBP|CHF|CAD|AUD|JPY|SEK|NOK|DKK|PLN|CZK|INR|SGD|NZD|ZAR'
const MONEY = `(?:[€£$¥]|\\b(?:${CODE})\\b|\\b(?:euros?|pounds|dollars|franken)\\b)`
const NUMBER = "\\d{1,3}(?:[.,\\s\\u00a0\\u202f'’]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?"
const AMOUNT = `(${NUMBER})\\s?(k\\b)?`
const RANGE = new RegExp(
  `(?:${MONEY}\\s?)?${AMOUNT}\\s?(?:${MONEY})?(?:\\s?(?:-|–|—|to|bis|à|a|and|und|et)\\s?(?:${MONEY}\\s?)?${AMOUNT}\\s?(?:${MONEY})?)?`,
  'iu',
)
const PERIODS: readonly (readonly [string, RegExp])[] = [
  ['hour', /\b(hour|hourly|stunde|stundenlohn|heure|hora)\b|\/\s?h\b/iu],
  ['day', /\b(day|daily|tag|tagessatz|jour|día|dia)\b/iu],
  ['week', /\b(week|weekly|woche|semaine|semana)\b/iu],
  ['month', /\b(month|monthly|monat|monatlich|mois|mes)\b/iu],
  ['year', /\b(year|yearly|annual|annually|annum|p\.?a\.?|jahr|jährlich|jahresgehalt|an|annuel|año)\b/iu],
]

/** The salary in the first line that names a sum of money. */
export function salaryIn(lines: readonly string[]): Salary | null {
  for (const line of lines) {
    const currency = currencyIn(line)
    if (currency === null) continue
    const amounts = RANGE.exec(piecesWithMoney(line))
    if (!amounts) continue
    const min = amountOf(amounts[1], amounts[2] ?? amounts[4])
    const max = amounts[3] === undefined ? min : amountOf(amounts[3], amounts[4])
    const period = PERIODS.find(([, words]) => words.test(line))?.[0] ?? null
    return { min, max, currency, period }
  }
  return null
}

/** The line from the first currency sign on, including a number before it. */
function piecesWithMoney(line: string): string {
  const at = line.search(
    new RegExp(
      `(?:${MONEY}\\s?\\d)|(?:\\d[\\d.,\\s\\u00a0\\u202f'’k–—-]*(?:(?:to|bis|à|a)\\s[\\d.,\\s\\u00a0\\u202f]*)?${MONEY})`,
      'iu',
    ),
  )
  return at === -1 ? '' : line.slice(at)
}

function currencyIn(line: string): string | null {
  const code = new RegExp(`\\b(${CODE})\\b`, 'u').exec(line)?.[1]
  if (code) return code
  for (const [symbol, named] of Object.entries(SYMBOLS)) if (line.includes(symbol)) return named
  const word = /\b(euros?|pounds|dollars|franken)\b/i.exec(line)?.[1]?.toLowerCase()
  return word === undefined ? null : (WORDS[word] ?? null)
}

/** Any mark may separate thousands. A mark before the last one or two digits is the decimal mark. */
function amountOf(text: string | undefined, thousands: string | undefined): number | null {
  if (text === undefined) return null
  const decimal = /[.,](\d{1,2})$/.exec(text)?.[1]
  const whole = (decimal === undefined ? text : text.slice(0, -decimal.length - 1)).replace(/\D/g, '')
  const amount = Number(decimal === undefined ? whole : `${whole}.${decimal}`)
  return thousands === undefined ? amount : amount * 1_000
}
