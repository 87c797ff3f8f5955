import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { SavedKey } from '../../capabilities/personalData/personalData.ts'
import type { SavedSaltSecret } from '../../capabilities/transparency/savedSaltSecrets.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { READ_PAGE_EVENTS_MAX } from '../../platform/eventStore/storeLimits.ts'
import { type BackupFacts, contentHash, FORMAT, FORMAT_VERSION, type Header, textLine } from './format.ts'
import { savedEvent } from './savedEvent.ts'

export type WriteOptions = {
  /** Without upcasting: events are saved as they are stored. */
  readonly store: EventStore
  /** The keys of personal fields, read after the events, so that every event has its key. */
  readonly keyPages?: AsyncIterable<readonly SavedKey[]>
  /** The log secrets, also read after the events: an event that was sealed before it was read has its secret in the file. */
  readonly secretPages?: AsyncIterable<readonly SavedSaltSecret[]>
  readonly to: Writable
  readonly createdAt: string
  readonly signal: AbortSignal
  onProgress(events: number): void
}

/** Saves all events up to the current end of the store, a page at a time, while services keep appending. */
export async function writeBackup({
  store,
  keyPages,
  secretPages,
  to,
  createdAt,
  signal,
  onProgress,
}: WriteOptions): Promise<BackupFacts> {
  const head = await store.head()
  const version = FORMAT_VERSION
  const header: Header = { format: FORMAT, version, createdAt, head, idsAreUnique: store.idsAreUnique }
  const hash = contentHash()
  let events = 0
  let personalKeys = 0
  let logSecrets = 0
  let position: Position = BEGINNING
  let sha256 = ''

  async function* content(): AsyncIterable<Buffer> {
    const hashed = (text: string): Buffer => {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      return bytes
    }
    yield hashed(textLine(header))
    for await (const page of pagesTo(store, head)) {
      const lines = page.map((event) => textLine(savedEvent(event)))
      events += page.length
      position = page.at(-1)?.position ?? position
      if (lines.length > 0) yield hashed(lines.join(''))
      onProgress(events)
    }
    for await (const page of keyPages ?? []) {
      personalKeys += page.length
      yield hashed(page.map((personalKey) => textLine({ personalKey })).join(''))
    }
    for await (const page of secretPages ?? []) {
      logSecrets += page.length
      yield hashed(page.map((logSecret) => textLine({ logSecret })).join(''))
    }
    sha256 = hash.digest('hex')
    yield Buffer.from(textLine({ end: { events, personalKeys, logSecrets, position, sha256 } }))
  }

  await pipeline(content, createGzip(), to, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
  const { idsAreUnique } = store
  return { version, createdAt, head, idsAreUnique, events, personalKeys, logSecrets, position, sha256 }
}

/** Reads the next page while the last one is compressed and written. */
async function* pagesTo(store: EventStore, head: Position) {
  const limit = READ_PAGE_EVENTS_MAX
  const read = (after: Position) => {
    const page = store.readAll({ after, limit })
    // A caller that stops early never awaits this page.
    page.catch(() => {})
    return page
  }
  let after: Position = BEGINNING
  let next = read(after)
  while (after < head) {
    const page = await next
    if (page.position === after) return
    after = page.position
    if (after < head) next = read(after)
    yield page.events.filter((event) => event.position <= head)
  }
}
