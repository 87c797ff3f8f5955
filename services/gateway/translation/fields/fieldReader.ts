import { isAbsent, isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import type { Given } from '../conversation/conversation.ts'
import type { Hint, LeftOut } from './leftOut.ts'
import { notTranslated, RequestRefused, valueNotTranslated, wrongField } from './requestRefused.ts'

/** A message of more parts, or more tools, is nothing that a model accepts. */
export const LIST_ITEMS_MAX = 100_000

/**
 * Reads the members of one object of a caller's request, and refuses members that were not read, because no field may
 * be dropped silently. A member that is null counts as absent. Names are looked up among the object's own only, so that
 * `__proto__` and `constructor` are fields like any other.
 */
export class FieldReader {
  readonly at: string
  readonly leftOut: LeftOut
  readonly #object: JsonObject
  readonly #read = new Set<string>()

  constructor(value: unknown, at: string, leftOut: LeftOut) {
    if (!isJsonObject(value))
      throw at === ''
        ? new RequestRefused(null, 'The body must be a JSON object.')
        : wrongField(at, 'must be an object.')
    this.#object = value
    this.at = at
    this.leftOut = leftOut
  }

  path(name: string): string {
    return this.at === '' ? name : `${this.at}.${name}`
  }

  has(name: string): boolean {
    return !isAbsent(this.#value(name))
  }

  /** Undefined if the member is absent or null. */
  any(name: string): unknown {
    this.#read.add(name)
    return this.#value(name) ?? undefined
  }

  text(name: string): string {
    const value = this.any(name)
    if (typeof value !== 'string') throw wrongField(this.path(name), 'must be a string.')
    return value
  }

  textIfAny(name: string): string | undefined {
    return this.has(name) ? this.text(name) : this.#absent(name)
  }

  flagIfAny(name: string): boolean | undefined {
    const value = this.any(name)
    if (value === undefined || typeof value === 'boolean') return value
    throw wrongField(this.path(name), 'must be true or false.')
  }

  numberIfAny(name: string): number | undefined {
    const value = this.any(name)
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
    throw wrongField(this.path(name), 'must be a number.')
  }

  integerIfAny(name: string): number | undefined {
    const value = this.any(name)
    if (value === undefined || Number.isSafeInteger(value)) return value as number | undefined
    throw wrongField(this.path(name), 'must be an integer.')
  }

  objectIfAny(name: string): object | undefined {
    const value = this.any(name)
    if (value === undefined || isJsonObject(value)) return value
    throw wrongField(this.path(name), 'must be an object.')
  }

  /** The reader of a member that is an object. */
  readerIfAny(name: string): FieldReader | undefined {
    return this.has(name) ? new FieldReader(this.any(name), this.path(name), this.leftOut) : this.#absent(name)
  }

  reader(name: string): FieldReader {
    return new FieldReader(this.any(name), this.path(name), this.leftOut)
  }

  listIfAny(name: string, itemsMax = LIST_ITEMS_MAX): readonly unknown[] | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    if (!Array.isArray(value)) throw wrongField(this.path(name), 'must be an array.')
    if (value.length > itemsMax) throw wrongField(this.path(name), `must have at most ${itemsMax} elements.`)
    return value
  }

  /** A reader for each object of a list; empty if there is no list. */
  readersIn(name: string, itemsMax?: number): FieldReader[] {
    const items = this.listIfAny(name, itemsMax) ?? []
    return items.map((item, position) => new FieldReader(item, `${this.path(name)}[${position}]`, this.leftOut))
  }

  /** One of these texts; any other may be right, but has no translation. */
  choiceIfAny<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.textIfAny(name)
    const found = choices.find((choice) => choice === value)
    if (value !== undefined && found === undefined) throw valueNotTranslated(this.path(name), value)
    return found
  }

  given<Value>(name: string, value: Value | undefined): Given<Value> | undefined {
    return value === undefined ? undefined : { value, at: this.path(name) }
  }

  /** Accepts a member only with one of these values, which all mean that nothing is asked for. */
  only(name: string, ...values: readonly unknown[]): void {
    const value = this.any(name)
    if (value !== undefined && !values.includes(value)) throw notTranslated(this.path(name))
  }

  /** The same for a list: an empty one asks for nothing. */
  onlyEmpty(name: string): void {
    const items = this.listIfAny(name) ?? []
    if (items.length > 0) throw notTranslated(this.path(name))
  }

  /** Hints that no API needs for the meaning of the request. */
  leaveOut(...names: readonly Hint[]): void {
    for (const name of names) if (this.any(name) !== undefined) this.leftOut.add(name)
  }

  /** Members that say nothing beyond the rest of the object, such as the id of an item. */
  skip(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name)
  }

  /** Refuses the first member that was not read. */
  end(): void {
    for (const name of Object.keys(this.#object)) {
      if (!this.#read.has(name) && !isAbsent(this.#object[name])) throw notTranslated(this.path(name))
    }
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
  }

  #absent(name: string): undefined {
    this.#read.add(name)
    return undefined
  }
}
