const NAMES_MAX = 20
const NAME_CHARS_MAX = 100

/** Names of members of an answer that have no translation, for the log: each once, and not more than a log line bears. */
export class Dropped {
  readonly #names = new Set<string>()

  add(...names: readonly string[]): void {
    for (const name of names) if (this.#names.size < NAMES_MAX) this.#names.add(name.slice(0, NAME_CHARS_MAX))
  }

  get names(): readonly string[] {
    return [...this.#names]
  }
}
