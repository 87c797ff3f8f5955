import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import type { ChargeLine } from '../../../contracts/events/ledger.ts'
import { streamName } from '../../../contracts/streams.ts'
import { creditsNumber } from '../../../domain/credits.ts'
import { reversalKey } from '../../../domain/ledger/decider.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import type { CallRow } from '../../../projections/calls/projection.ts'
import { shownFactor } from './credits/shownPrices.ts'
import type { Call, ChargeLine as ShownLine } from './generated.ts'

type Ledgers = Pick<TypedEventStore, 'readStream'>

/** Their charges are read one after the other, so that a page of calls takes one connection of the event store. */
export function shownCalls(rows: readonly CallRow[], ledgers: Ledgers): Call[] {
  let turn: Promise<unknown> = Promise.resolve()
  return rows.map((row) =>
    shownWith(row, () => {
      const charge = turn.then(() => readCharge(row, ledgers))
      turn = charge.catch(() => {})
      return charge
    }),
  )
}

export function shownCall(row: CallRow, ledgers: Ledgers): Call {
  return shownWith(row, () => readCharge(row, ledgers))
}

function shownWith(row: CallRow, readCharge: () => Promise<HowCharged>): Call {
  const { callId: id, state, alias, keyId, label, endpoint, streamed, admittedAt, finishedAt, reason, abandoned } = row
  return {
    ...{ id, state, alias, keyId, label, endpoint, streamed, admittedAt, finishedAt, reason, abandoned },
    tokensIn: Number(row.tokensIn),
    tokensCached: row.tokensCached === null ? null : Number(row.tokensCached),
    tokensOut: Number(row.tokensOut),
    credits: creditsNumber(BigInt(row.chargedMicros)),
    amountMicros: row.chargedMicros,
    eventIds: eventIdsOf(row),
    ...onRequest(readCharge),
  }
}

type HowCharged = Pick<Call, 'lines' | 'serviceTier' | 'tierFactor'>

/** These are functions, so that the ledger is read only if one of the fields is requested. */
function onRequest(readCharge: () => Promise<HowCharged>): HowCharged {
  let read: Promise<HowCharged> | null = null
  const charge = () => (read ??= readCharge())
  const fields = {
    lines: async () => (await charge()).lines,
    serviceTier: async () => (await charge()).serviceTier,
    tierFactor: async () => (await charge()).tierFactor,
  }
  return fields as unknown as HowCharged
}

/** From the event that ended the call; nothing if it failed, or was charged before charges had lines. */
async function readCharge({ companyId, callId, revision }: CallRow, ledgers: Ledgers): Promise<HowCharged> {
  const stream = streamName('ledger', companyId)
  for await (const event of ledgers.readStream(stream, { from: Number(revision), limit: 1 })) {
    if (event.type !== 'CallCharged' || event.data.callId !== callId) break
    const { lines, serviceTier, tierFactor } = event.data
    return {
      lines: lines?.map(shownLine) ?? null,
      serviceTier,
      tierFactor: tierFactor === null ? null : shownFactor(tierFactor),
    }
  }
  return { lines: null, serviceTier: null, tierFactor: null }
}

function shownLine({ kind, count, rate, amountMicros }: ChargeLine): ShownLine {
  const [rateCredits, credits] = [creditsNumber(BigInt(rate)), creditsNumber(BigInt(amountMicros))]
  return { kind, count, rateCredits, rateMicros: rate, credits, amountMicros }
}

/** The event that ends a call has the id of the call. */
function eventIdsOf({ callId, state }: CallRow): string[] {
  return state === 'REVERSED' ? [callId, deterministicId(reversalKey(callId))] : [callId]
}
