import { formatCredits } from '../../domain/credits.ts'
import { balanceMicros } from '../../domain/ledger/balance.ts'
import { majorUnits } from '../../domain/price.ts'
import type { ForeignEvent } from '../../platform/eventStore/port.ts'
import type { CallAudit } from './call.ts'
import type { AuditResult, Difference } from './compare.ts'
import type { MonthAudit } from './months.ts'
import type { Adjustment, Charges } from './replay.ts'
import type { UnsettledAudit } from './unsettled.ts'

const AMOUNT_CHARS = 18

/** The document that `audit --json` prints. */
export function auditJson(
  companyId: string,
  { replay, readModelMicros, firstDifference, foreignEvents, months, logFault }: AuditResult,
  unsettled: UnsettledAudit,
) {
  const { grantsMicros, chargesMicros, reversalsMicros, refundsMicros } = replay.state
  const { adjustmentsMicros, settlementsMicros, expiriesMicros, withdrawalsMicros, reinstatementsMicros } = replay.state
  return {
    companyId,
    position: replay.position,
    at: replay.at,
    grantsMicros: grantsMicros.toString(),
    chargesMicros: chargesMicros.toString(),
    reversalsMicros: reversalsMicros.toString(),
    refundsMicros: refundsMicros.toString(),
    adjustmentsMicros: adjustmentsMicros.toString(),
    settlementsMicros: settlementsMicros.toString(),
    expiriesMicros: expiriesMicros.toString(),
    withdrawalsMicros: withdrawalsMicros.toString(),
    reinstatementsMicros: reinstatementsMicros.toString(),
    closingMicros: balanceMicros(replay.state).toString(),
    byAlias: chargesJson(replay.byAlias),
    byKey: chargesJson(replay.byKey),
    adjustments: replay.adjustments,
    readModelMicros: readModelMicros.toString(),
    matches: firstDifference === null && months.every(({ difference }) => difference === null),
    firstDifference,
    months,
    foreignEvents,
    logFault,
    unsettled: unsettled.calls,
    unreadableFiles: unsettled.damaged,
  }
}

export function auditText(companyId: string, result: AuditResult, unsettled: UnsettledAudit): string {
  const { replay, readModelMicros, firstDifference, foreignEvents, months, logFault } = result
  const { grantsMicros, chargesMicros, reversalsMicros, refundsMicros } = replay.state
  const { adjustmentsMicros, settlementsMicros, expiriesMicros, withdrawalsMicros, reinstatementsMicros } = replay.state
  const lines = [
    `Ledger of company ${companyId}: ${replay.events} events up to position ${replay.position || '-'} (${replay.at ?? 'no events'})`,
    line('grants', grantsMicros),
    line('charges', -chargesMicros),
    ...chargeLines('by alias', replay.byAlias),
    ...chargeLines('by key', replay.byKey),
    line('reversals', reversalsMicros),
    line('refunds', -refundsMicros),
    line('adjustments', adjustmentsMicros),
    ...replay.adjustments.map(adjustmentText),
    ...(months.length > 0 ? [line('settlements', settlementsMicros)] : []),
    ...lineUnlessZero('expiries', -expiriesMicros),
    ...lineUnlessZero('disputes', -withdrawalsMicros),
    ...lineUnlessZero('given back', reinstatementsMicros),
    line('closing balance', balanceMicros(replay.state)),
    line('read model', readModelMicros),
    firstDifference ? differenceText(firstDifference) : 'The read model agrees with the ledger.',
    ...months.map(monthText),
    ...foreignEvents.map(foreignText),
    ...(logFault ? [`The transparency log has a fault: ${logFault.what}. See npm run audit -- --log.`] : []),
    ...unsettledLines(unsettled),
  ]
  return `${lines.join('\n')}\n`
}

/** Empty if none has stopped. */
export function stoppedText(models: readonly string[]): string {
  if (models.length === 0) return ''
  return `Read models that have stopped: ${models.join(', ')}. They lack events; is a projector running?\n`
}

function adjustmentText({ amountMicros, at, by, corrects, reason }: Adjustment): string {
  const what = corrects === null ? '' : `, corrects ${corrects}`
  return `${' '.repeat(20)}${formatCredits(BigInt(amountMicros)).padStart(AMOUNT_CHARS)} credits  ${at} by ${by}${what}: ${reason}`
}

export function monthText(audited: MonthAudit): string {
  const { month, afterRevision, closeRevision, creditsMicros, invoiceId, status, difference } = audited
  const range = `revisions ${afterRevision + 1} to ${closeRevision}`
  const amount = `${formatCredits(BigInt(creditsMicros))} credits, ${moneyText(audited)}`
  const invoice = invoiceId === null ? 'no invoice' : `invoice ${invoiceId} ${status ?? 'not reported yet'}`
  const verdict = difference === null ? 'as the ledger says' : `DIFFERS: ${difference}`
  return `Month ${month}: ${range}, ${amount}, ${invoice}, ${verdict}.`
}

function moneyText({ amountMinor, currency }: MonthAudit): string {
  return `${majorUnits(amountMinor, currency)} ${currency}`
}

function foreignText({ type, id, revision, position, recordedAt }: ForeignEvent): string {
  const place = `revision ${revision}, position ${position}, ${recordedAt}`
  return `Not written by Tollgate, and not counted: ${type} ${id} (${place}).`
}

function unsettledLines({ calls, damaged }: UnsettledAudit): string[] {
  return [
    ...calls.map(({ callId, recordedAt }) => `Unsettled: call ${callId}, answered 503 and recorded at ${recordedAt}.`),
    ...damaged.map((file) => `Unreadable file of an unsettled call: ${file}`),
  ]
}

export function callText({ callId, events, netMicros, recomputedMicros, fault, matches }: CallAudit): string {
  const lines = [`Call ${callId}: ${events.length} ${events.length === 1 ? 'event' : 'events'}`]
  for (const event of events) {
    lines.push(`  ${event.recordedAt} ${event.type} (revision ${event.revision}, position ${event.position})`)
    for (const [name, value] of Object.entries(event.data)) {
      lines.push(`    ${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    }
  }
  lines.push(line('cost', BigInt(netMicros)))
  if (recomputedMicros !== null) lines.push(line('recomputed', BigInt(recomputedMicros)))
  if (fault !== null) lines.push(`Wrong: ${fault}.`)
  lines.push(matches ? 'The events are consistent.' : 'The events are NOT consistent.')
  return `${lines.join('\n')}\n`
}

function differenceText({
  what,
  type,
  eventId,
  revision,
  position,
  ledgerMicros,
  readModelMicros,
}: Difference): string {
  const where = eventId
    ? `${type} ${eventId} (revision ${revision}, position ${position ?? '-'})`
    : `up to revision ${revision}`
  return `They differ: ${what}: ${where}; ledger ${ledgerMicros ?? '-'}, read model ${readModelMicros ?? '-'} micros.`
}

function line(name: string, micros: bigint): string {
  return `  ${name.padEnd(18)}${formatCredits(micros).padStart(AMOUNT_CHARS)} credits`
}

function lineUnlessZero(name: string, micros: bigint): string[] {
  return micros === 0n ? [] : [line(name, micros)]
}

function chargeLines(title: string, charges: ReadonlyMap<string, Charges>): string[] {
  return [...charges].map(([name, { calls, chargesMicros }], index) => {
    const amount = formatCredits(-chargesMicros).padStart(AMOUNT_CHARS)
    return `    ${(index === 0 ? title : '').padEnd(16)}${amount} credits  ${name}, ${calls} ${calls === 1 ? 'call' : 'calls'}`
  })
}

function chargesJson(charges: ReadonlyMap<string, Charges>) {
  return Object.fromEntries(
    [...charges].map(([name, sum]) => [name, { ...sum, chargesMicros: sum.chargesMicros.toString() }]),
  )
}
