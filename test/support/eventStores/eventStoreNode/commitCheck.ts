import type { EventLog } from './eventLog.ts'

/** Settings/ESConsts.cs, CommitedEventsMemCacheLimit. */
const COMMITTED_BYTES_MAX = 8 * 1024 * 1024

type Known = { readonly stream: string; readonly revision: number }

/**
 * The ids that the server remembers: the newest ones that fit in memory, by id alone, and none after a restart
 * (Services/Storage/ReaderIndex/IndexWriter.cs, _committedEvents; IndexCommitter.cs, Init, does not fill it again).
 * That is why an append with "any" is idempotent only as best effort.
 */
export class CommittedEvents {
  readonly #known = new Map<string, Known>()
  #bytes = 0

  find(id: string, stream: string): Known | undefined {
    const known = this.#known.get(id)
    return known?.stream === stream ? known : undefined
  }

  remember(id: string, known: Known): void {
    this.#forget(id)
    this.#known.set(id, known)
    this.#bytes += bytesOf(known)
    while (this.#bytes > COMMITTED_BYTES_MAX) {
      const [oldest] = this.#known.keys()
      if (oldest === undefined) return
      this.#forget(oldest)
    }
  }

  #forget(id: string): void {
    const known = this.#known.get(id)
    if (!known) return
    this.#known.delete(id)
    this.#bytes -= bytesOf(known)
  }
}

function bytesOf({ stream }: Known): number {
  return 16 + 4 + 8 + 2 * stream.length
}

/** As the server counts them (ExpectedVersion.cs): a revision, or one of these. */
export const NO_STREAM = -1
export const ANY = -2
export const STREAM_EXISTS = -4

export type Decision =
  | { readonly kind: 'store' }
  | { readonly kind: 'repeated'; readonly lastRevision: number }
  | { readonly kind: 'wrongRevision'; readonly current: number }

/** Follows Services/Storage/ReaderIndex/IndexWriter.cs, CheckCommit. */
export function checkCommit(
  log: EventLog,
  committed: Pick<CommittedEvents, 'find'>,
  stream: string,
  expected: number,
  ids: readonly string[],
): Decision {
  const current = log.lastRevision(stream)
  const wrong: Decision = { kind: 'wrongRevision', current }
  if (expected === STREAM_EXISTS && current < 0) return wrong
  if (expected === ANY || expected === STREAM_EXISTS) {
    const known = ids.map((id) => committed.find(id, stream))
    if (known[0] === undefined) return { kind: 'store' }
    // Only some of them known is "corrupted idempotency", which StorageWriterService.cs answers as a wrong version.
    const last = known.every((found) => found !== undefined) ? known.at(-1) : undefined
    return last ? { kind: 'repeated', lastRevision: last.revision } : wrong
  }
  if (expected === current) return { kind: 'store' }
  if (expected > current) return wrong
  const stored = log.stream(stream).slice(expected + 1, expected + 1 + ids.length)
  const same = stored.length === ids.length && stored.every((event, index) => event.id === ids[index])
  return same ? { kind: 'repeated', lastRevision: expected + ids.length } : wrong
}
