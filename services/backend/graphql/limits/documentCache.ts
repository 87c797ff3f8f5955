import type { DocumentNode } from 'graphql'

/** The total of all documents: a parsed one takes hundreds of bytes for every token of two characters. */
export const CACHED_DOCUMENT_CHARS_MAX = 64 * 1024

/**
 * Parsed documents by their text, the least recently used evicted first. The library's own cache keeps a thousand
 * documents of any size, which callers without a token could fill.
 */
export class DocumentCache {
  readonly #documents = new Map<string, DocumentNode>()
  readonly #charsMax: number
  #chars = 0

  constructor(charsMax = CACHED_DOCUMENT_CHARS_MAX) {
    this.#charsMax = charsMax
  }

  get(text: string): DocumentNode | undefined {
    const document = this.#documents.get(text)
    if (!document) return undefined
    // A Map iterates in insertion order.
    this.#documents.delete(text)
    this.#documents.set(text, document)
    return document
  }

  set(text: string, document: DocumentNode): void {
    if (text.length > this.#charsMax || this.#documents.has(text)) return
    this.#documents.set(text, document)
    this.#chars += text.length
    for (const oldest of this.#documents.keys()) {
      if (this.#chars <= this.#charsMax) return
      this.#documents.delete(oldest)
      this.#chars -= oldest.length
    }
  }
}

/** Errors are not kept: each holds the whole text of its document. */
export const NO_CACHE = { get: () => undefined, set: () => {} }
