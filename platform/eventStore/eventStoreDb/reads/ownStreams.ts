import { CATEGORIES, categoryOf } from '../../../../contracts/streams.ts'

const CATEGORY = /^[a-z][A-Za-z0-9]*$/
const KNOWN: ReadonlySet<string> = new Set(CATEGORIES)

/**
 * The streams of this installation on a server that others may use too: their names there begin with a prefix, which
 * nothing outside of the adapter sees.
 */
export class OwnStreams {
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** The name of a stream of ours on the server. */
  nameOnServer(stream: string): string {
    return this.#prefix + stream
  }

  /** The name of the stream without the prefix; null if it is a stream of others. */
  ownName(nameOnServer: string): string | null {
    if (!nameOnServer.startsWith(this.#prefix)) return null
    const stream = nameOnServer.slice(this.#prefix.length)
    const category = categoryOf(stream)
    if (KNOWN.has(category)) return stream
    return category.length < stream.length && CATEGORY.test(category) && !isPartOfAnother(category) ? stream : null
  }

  /** The prefixes of our streams of some or all categories. Other streams' names may begin with them too. */
  prefixesOf(categories?: readonly string[]): readonly string[] {
    return categories ? categories.map((category) => `${this.#prefix}${category}-`) : [this.#prefix]
  }
}

/**
 * Whether it is the end of one of our categories, or ends with one: then the stream belongs to another installation,
 * whose prefix extends ours or is the beginning of it.
 */
function isPartOfAnother(category: string): boolean {
  return CATEGORIES.some((known) => category.endsWith(known) || known.endsWith(category))
}
