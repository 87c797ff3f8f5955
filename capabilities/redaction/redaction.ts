import type { ProviderTable } from '../providers/providersFile.ts'
import { REDACTED, withoutKeyLikeTexts } from './keyLikeTexts.ts'
import { type ProviderNames, providerNames, providersIn } from './providerNames.ts'

/** How many characters of a text are read; a provider's error answer is hardly longer. */
const TEXT_CHARS_MAX = 32 * 1024
/** A shorter secret may be part of an ordinary word, so only whole words are redacted. */
const ANYWHERE_CHARS_MIN = 8

const BEFORE_WORD = '(?<![\\p{L}\\p{N}_])'
const AFTER_WORD = '(?![\\p{L}\\p{N}_])'
/** A date or variant that a provider appends to the name of its model. */
const VARIANT = '[-:@][\\p{L}\\p{N}_][\\w.:-]*'
const MARKS = '.:-'
/** Ids of our account at a provider, which appear in its errors. */
const ACCOUNT_IDS = /\b(?:org|proj)[-_][A-Za-z\d][\w-]{4,}/g

export type RedactionOptions = {
  /** Secrets of the installation; the keys of the providers are in their tables. */
  readonly secrets: readonly string[]
  /** Several, because a call may have begun under the table before the last reload. */
  readonly tables: readonly ProviderTable[]
}

/** Removes from providers' texts what must not leave the installation, in linear time. */
export class Redaction {
  /** What it was made from, for another thread. */
  readonly options: RedactionOptions
  readonly #secrets: RegExp | null
  readonly #models: RegExp | null
  readonly #providers: RegExp | null

  constructor(options: RedactionOptions) {
    const { secrets, tables } = options
    this.options = options
    const keys = providersIn(tables).flatMap(({ apiKey }) => apiKey ?? [])
    this.#secrets = secretsPattern([...secrets, ...keys])
    const { models, providers }: ProviderNames = providerNames(tables)
    this.#models = namesPattern(models, `(?:${VARIANT}|${AFTER_WORD})`)
    this.#providers = namesPattern(providers, AFTER_WORD)
  }

  /** For callers: without secrets, key-like strings and the names of providers and models. */
  forCallers(text: string): string {
    return this.withoutNames(this.withoutSecrets(text))
  }

  /** For operators, who know the providers. */
  withoutSecrets(text: string): string {
    const read = cut(text)
    return withoutKeyLikeTexts(this.#secrets ? read.replace(this.#secrets, REDACTED) : read)
  }

  withoutNames(text: string): string {
    const unowned = text.replace(ACCOUNT_IDS, REDACTED)
    const unmodelled = this.#models ? unowned.replace(this.#models, modelWords) : unowned
    return this.#providers ? unmodelled.replace(this.#providers, 'the provider') : unmodelled
  }
}

/** Keeps the punctuation around the name. */
function modelWords(name: string): string {
  let end = name.length
  while (end > 0 && MARKS.includes(name.charAt(end - 1))) end--
  return `the model${name.slice(end)}`
}

function secretsPattern(secrets: readonly string[]): RegExp | null {
  const patterns = longestFirst(secrets).map((secret) =>
    secret.length < ANYWHERE_CHARS_MIN ? `${BEFORE_WORD}${escaped(secret)}${AFTER_WORD}` : escaped(secret),
  )
  return patterns.length === 0 ? null : new RegExp(patterns.join('|'), 'gu')
}

function namesPattern(names: readonly string[], after: string): RegExp | null {
  if (names.length === 0) return null
  const words = longestFirst(names).map((name) => escaped(name))
  return new RegExp(`${BEFORE_WORD}(?:${words.join('|')})${after}`, 'giu')
}

function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((a, b) => b.length - a.length)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** A text that is too long ends before the word at the limit, which may be half a secret. */
function cut(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return text
  let end = TEXT_CHARS_MAX
  while (end > 0 && text.charAt(end).trim() !== '') end--
  return text.slice(0, end)
}
