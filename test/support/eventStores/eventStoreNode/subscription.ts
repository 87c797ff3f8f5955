import type { EventFilter } from './eventFilter.ts'
import type { EventLog, LoggedEvent } from './eventLog.ts'
import { caughtUp, checkpointMessage, eventMessage, type Send } from './messages.ts'

type LogPosition = { readonly commit: bigint; readonly prepare: bigint }

export type AllSubscription = {
  /** Exclusive; null is the start. */
  readonly from: LogPosition | null
  readonly atEnd: boolean
  readonly filter: EventFilter
  /** The page size while catching up and the checkpoint interval, in events; null without a filter. */
  readonly window: number | null
  readonly checkpointEvery: number | null
  /** How many of the newest events are not sent yet. */
  behind(): number
}

const START: LogPosition = { commit: -1n, prepare: -1n }

/**
 * First stored events, then new ones (Services/Transport/Enumerators/Enumerator.AllSubscription.cs and
 * Enumerator.AllSubscriptionFiltered.cs). That the server fell behind its live events and reads pages again is not told
 * to clients (Streams.Read.cs), so here one and the same log is read throughout.
 */
export async function followAll(log: EventLog, options: AllSubscription, send: Send, signal: AbortSignal) {
  const { filter, window, checkpointEvery } = options
  let sentCheckpoint: LogPosition | null = null
  /** Skipped unless it is beyond the last one (MoveNextAsync). */
  const sendCheckpoint = async (position: LogPosition) => {
    const onWire = { commit: BigInt.asUintN(64, position.commit), prepare: BigInt.asUintN(64, position.prepare) }
    if (sentCheckpoint && !isBefore(sentCheckpoint, onWire)) return
    sentCheckpoint = onWire
    await send(checkpointMessage(onWire))
  }

  const last = log.all.at(-1)
  let reached = options.atEnd && last ? positionOf(last) : (options.from ?? START)
  let index = log.indexFrom(Number(reached.commit))
  let considered = 0
  while (index < log.all.length && !signal.aborted) {
    // Where the page begins: behind the last event that was looked at, in the form (position, 0).
    const pageStart: LogPosition = { commit: BigInt(log.all[index]?.position ?? 0), prepare: 0n }
    for (const event of log.all.slice(index, index + (window ?? Number.POSITIVE_INFINITY))) {
      index++
      considered++
      if (!filter(event) || !isBefore(reached, positionOf(event))) continue
      await send(eventMessage(event))
      reached = positionOf(event)
    }
    if (checkpointEvery !== null && index < log.all.length && considered >= checkpointEvery) {
      considered %= checkpointEvery
      if (isBefore(reached, pageStart)) reached = pageStart
      await sendCheckpoint(reached)
    }
  }
  // With nothing sent since the start this is position -1, which as an unsigned number reads as the end of all logs.
  if (checkpointEvery !== null) await sendCheckpoint(reached)
  await send(caughtUp())

  // Services/SubscriptionsService.cs, ProcessEventCommited.
  considered = 0
  while (!signal.aborted) {
    for (; index < log.all.length - options.behind() && !signal.aborted; index++) {
      const event = log.all[index]
      if (!event || !isBefore(reached, positionOf(event))) continue
      if (filter(event)) await send(eventMessage(event))
      if (checkpointEvery === null || ++considered < checkpointEvery) continue
      considered = 0
      await sendCheckpoint(positionOf(event))
    }
    await log.grown(signal)
  }
}

function positionOf({ position }: LoggedEvent): LogPosition {
  return { commit: BigInt(position), prepare: BigInt(position) }
}

function isBefore(one: LogPosition, other: LogPosition): boolean {
  return one.commit < other.commit || (one.commit === other.commit && one.prepare < other.prepare)
}
