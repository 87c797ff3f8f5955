/**
 * The fields that are left out if the provider's API has no form for them, because the answer means the same without
 * them. README.md says why each is one.
 */
export const HINTS = [
  ...['cache_control', 'prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_breakpoint'],
  ...['metadata', 'user', 'safety_identifier'],
  ...['include_obfuscation', 'eager_input_streaming', 'phase', 'is_error', 'summary', 'budget_tokens', 'reasoning'],
] as const

export type Hint = (typeof HINTS)[number]

/** Collects the hints that one request loses. */
export class LeftOut {
  readonly #names = new Set<Hint>()

  add(name: Hint): void {
    this.#names.add(name)
  }

  /** In the order in which they were found, each once. */
  get names(): readonly Hint[] {
    return [...this.#names]
  }
}
