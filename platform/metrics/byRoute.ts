/** One value per alias and provider, created on first use. */
export class ByRoute<Value> {
  readonly #byAlias = new Map<string, Map<string, Value>>()
  readonly #create: () => Value

  constructor(create: () => Value) {
    this.#create = create
  }

  /** Two lookups without a joined key, because every call does this. */
  of(alias: string, provider: string): Value {
    let byProvider = this.#byAlias.get(alias)
    if (!byProvider) {
      byProvider = new Map()
      this.#byAlias.set(alias, byProvider)
    }
    let value = byProvider.get(provider)
    if (value === undefined) {
      value = this.#create()
      byProvider.set(provider, value)
    }
    return value
  }

  /** Removes all values and returns them with their labels. */
  take(): { alias: string; provider: string; value: Value }[] {
    const taken = [...this.#byAlias].flatMap(([alias, byProvider]) =>
      [...byProvider].map(([provider, value]) => ({ alias, provider, value })),
    )
    this.#byAlias.clear()
    return taken
  }
}
