import { deterministicId } from '../../../../capabilities/commands/eventId.ts'
import type { Recorded } from '../../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../../contracts/events/ledger.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { Refusal } from '../../../../domain/decider.ts'
import { transactionById } from '../../../../projections/creditTransactions/queries.ts'
import { actorOf, type GraphqlContext, nowOf } from '../context.ts'
import { ledgerShown } from './ledgerShown.ts'

type Granted = Extract<LedgerEvent, { type: 'CreditsGranted' }>

export type GrantRequest = {
  readonly companyId: string
  readonly amountMicros: bigint
  readonly reason: string
  /** The idempotency key, per company; null: every request makes a grant. */
  readonly idempotencyKey: string | null
}

/** Books a grant by hand and returns it as the ledger has it. Under a key, its event id derives from the key. */
export async function grantCredits(context: GraphqlContext, request: GrantRequest): Promise<Recorded<Granted>> {
  const { engines, ids } = context.runtime
  const { companyId, amountMicros, reason, idempotencyKey } = request
  const grantId =
    idempotencyKey === null
      ? ids.uuid()
      : deterministicId(`grant of credits:${JSON.stringify([companyId, idempotencyKey])}`)
  const grant = { companyId, grantId, source: 'ADJUSTMENT', amountMicros, reason, at: nowOf(context) } as const
  const draft = engines.ledger.draft({ type: 'GrantCredits', ...grant })
  // A store may no longer know the id of an event that is long past.
  const made = idempotencyKey === null ? null : await transactionById(engines.database, companyId, draft.eventId)
  if (made) return grantAt(context, request, Number(made.revision))
  const { revision, position } = await engines.ledger.book(draft, context.correlationId, actorOf(context))
  await ledgerShown(context, companyId, position)
  return grantAt(context, request, revision)
}

/** The grant that the ledger has, which another request with the same key may have made. */
async function grantAt(
  { runtime }: GraphqlContext,
  request: GrantRequest,
  revision: number,
): Promise<Recorded<Granted>> {
  const stream = streamName('ledger', request.companyId)
  for await (const event of runtime.engines.store.readStream(stream, { from: revision, limit: 1 })) {
    if (event.type !== 'CreditsGranted') break
    const { amountMicros, reason } = event.data
    if (BigInt(amountMicros) === request.amountMicros && reason === request.reason) return event
    throw new Refusal('CONFLICT', `idempotencyKey ${request.idempotencyKey} was used for another grant`)
  }
  throw new Error(`revision ${revision} of the ledger of ${request.companyId} is not the grant that was booked`)
}
