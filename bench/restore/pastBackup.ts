import { createWriteStream } from 'node:fs'
import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { streamName } from '../../contracts/streams.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { positionOf } from '../../platform/eventStore/postgres/positionNumber.ts'
import { writeBackup } from '../../scripts/backup/writeBackup.ts'
import { type PastLedger, pastCompanies, pastEvent } from '../growth/pastLedger.ts'

/** The events of a few companies in the order of arrival, as in a store. */
export function* pastEvents(events: number): Generator<RecordedEvent, void, void> {
  const companies = pastCompanies({ companyId: deterministicId('restore'), keyId: deterministicId('restore key') })
  const ledger: PastLedger = { events, untilMs: Date.UTC(2026, 0, 1), companies }
  const revisions = new Map<string, number>()
  for (let n = 0; n < events; n++) {
    const { companyId, event } = pastEvent(ledger, n)
    const revision = (revisions.get(companyId) ?? -1) + 1
    revisions.set(companyId, revision)
    const { recordedAt = '', ...metadata } = event.metadata
    const stream = streamName('ledger', companyId)
    yield { ...event, metadata, stream, revision, position: positionOf(n + 1), recordedAt }
  }
}

/** Writes the backup of an installation that has these events. */
export async function writePastBackup(file: string, events: number): Promise<void> {
  const source = pastEvents(events)
  // A backup reads a store from its beginning to its end, once.
  const store: Pick<EventStore, 'idsAreUnique' | 'head' | 'readAll'> = {
    idsAreUnique: true,
    head: async () => positionOf(events),
    readAll: async ({ after, limit }) => {
      const page: RecordedEvent[] = []
      for (let next = source.next(); !next.done; next = source.next()) {
        page.push(next.value)
        if (page.length === limit) break
      }
      return { events: page, position: page.at(-1)?.position ?? after }
    },
  }
  await writeBackup({
    store: store as EventStore,
    to: createWriteStream(file),
    createdAt: isoTime(systemClock.now()),
    signal: new AbortController().signal,
    onProgress: () => {},
  })
}
