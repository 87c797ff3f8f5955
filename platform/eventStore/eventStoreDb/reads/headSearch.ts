import type { Position } from '../../../../contracts/position.ts'
import { later } from '../commitPosition.ts'
import type { StoredPage } from './storedEvent.ts'

export type SearchedLog = {
  /** The position of the newest event of any application. */
  logEnd(): Promise<Position>
  /** The position of our newest event, found backwards from the end. */
  newestOfOurs(): Promise<Position>
  /** A page of our events between the two positions. */
  pageOfOurs(after: Position, end: Position): Promise<StoredPage>
}

type Searched = { readonly head: Position; readonly end: Position }

/**
 * Finds our newest event in a log that others write to as well. Reading backwards, the server has to look at everything
 * that others have written since, so that is done once, and again only after many events of ours. Otherwise only the
 * new part of the log is searched.
 */
export class HeadSearch {
  readonly #log: SearchedLog
  /** Our newest event, up to where the log was searched. */
  #searched: Searched | null = null
  #searching: Promise<Searched> | null = null

  constructor(log: SearchedLog) {
    this.#log = log
  }

  async find(): Promise<Position> {
    const end = await this.#log.logEnd()
    let searched = this.#searched ?? (await this.#searchBackwards(end))
    while (searched.end < end) searched = await this.#searchOn(searched, end)
    // A concurrent search may have got further.
    if (searched.end > (this.#searched?.end ?? '')) this.#searched = searched
    return searched.head
  }

  /** Once for all concurrent callers; they continue from where it ended. */
  #searchBackwards(end: Position): Promise<Searched> {
    this.#searching ??= this.#log
      .newestOfOurs()
      .then((head) => ({ head, end }))
      .finally(() => {
        this.#searching = null
      })
    return this.#searching
  }

  async #searchOn(searched: Searched, end: Position): Promise<Searched> {
    const { events, position, isFull } = await this.#log.pageOfOurs(searched.end, end)
    const head = later(searched.head, events.findLast(({ recorded }) => recorded)?.position ?? searched.head)
    if (!isFull) return { head, end }
    if (events.length === 0) return { head, end: position }
    return { head: later(head, await this.#log.newestOfOurs()), end }
  }
}
