import { type ConsumerLags, readConsumerLags } from '../../capabilities/readModels/consumerLags.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { Engines } from '../../platform/engines.ts'
import { type LeaseStatus, readLeases } from '../../platform/leases/leases.ts'
import { projectionNamed } from '../../projections/catalogue.ts'

/** The document that `feed status --json` prints. */
export type FeedStatus = Omit<ConsumerLags, 'head'> & {
  readonly store: { readonly position: Position; readonly events: number }
  readonly leases: readonly LeaseStatus[]
}

export async function readFeedStatus({ database, store }: Engines, usesKafka: boolean): Promise<FeedStatus> {
  const { head, relay, projections } = await readConsumerLags({ database, store, usesKafka })
  const events = await store.eventsAfter(BEGINNING)
  return { store: { position: head, events }, relay, projections, leases: await readLeases(database) }
}

export function statusText({ store, relay, projections, leases }: FeedStatus, nowMs: number): string {
  const lines = [`Event store: at ${store.position || '-'}, ${store.events} events`]
  if (relay) {
    const moved = relay.updatedAt === '' ? '' : `, moved ${seconds(nowMs - Date.parse(relay.updatedAt))} ago`
    lines.push(`Relay: at ${relay.position || '-'}, ${relay.lagEvents} behind${moved}, epoch ${relay.epoch}`)
  } else lines.push('Relay: none; consumers read the event store directly (KAFKA_BROKERS is not set)')
  const models = projections.flatMap(({ name, version, partitions }) =>
    partitions.length === 0
      ? [[name, '-', '-', 'not built yet']]
      : partitions.map(({ partition, position, lagEvents }) => [
          name,
          partition,
          position || '-',
          `${lagEvents}${versionNote(name, version)}`,
        ]),
  )
  lines.push('', ...table(['READ MODEL', 'PARTITION', 'POSITION', 'BEHIND'], models))
  const held = leases.map(({ name, holder, epoch, msLeft }) => [
    name,
    holder,
    String(epoch),
    msLeft > 0 ? `held, ${seconds(msLeft)} left` : `free, expired ${seconds(-msLeft)} ago`,
  ])
  if (held.length > 0) lines.push('', ...table(['LEASE', 'HOLDER', 'EPOCH', 'STATE'], held))
  return `${lines.join('\n')}\n`
}

function versionNote(name: string, version: number | null): string {
  const mine = projectionNamed(name)?.version
  return version === mine ? '' : `, built by version ${version}, but this program has version ${mine}: rebuild it`
}

function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
