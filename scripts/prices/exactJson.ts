import { type Decimal, decimalOf } from './decimal.ts'

/** A number of a JSON text, as it is written there. */
export class ExactNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  decimal(what: string): Decimal {
    return decimalOf(this.#text, what)
  }
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown
/** TypeScript does not know the third argument of a reviver yet. */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/** The value of the text, in which each number is an ExactNumber: a double would round it. */
export function parseExactly(text: string): unknown {
  return parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined ? new ExactNumber(source) : value,
  )
}
