import { deterministicId } from '../../../../capabilities/commands/eventId.ts'
import type { Recorded } from '../../../../contracts/envelope.ts'
import type { GrantSource, LedgerEvent } from '../../../../contracts/events/ledger.ts'
import { WITHOUT_EXPIRY } from '../../../../contracts/events/lotTerms.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { priorityOf } from '../../../../domain/creditLots/burnOrder.ts'
import { Refusal } from '../../../../domain/decider.ts'
import { transactionById } from '../../../../projections/creditTransactions/queries.ts'
import { actorOf, type GraphqlContext, nowOf } from '../context.ts'
import { ledgerShown } from './ledgerShown.ts'

type Granted = Extract<LedgerEvent, { type: 'CreditsGranted' }>

export type GrantRequest = {
  readonly companyId: string
  readonly amountMicros: bigint
  readonly reason: string
  /** null: the credits do not expire. */
  readonly expiresAt: string | null
  /** Calls use promotional credits first. */
  readonly isPromotional: boolean
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
  // A store may no longer know the id of an event that is long past, and the credits may have expired since.
  const eventId = deterministicId(`grant:${grantId}`)
  const made = idempotencyKey === null ? null : await transactionById(engines.database, companyId, eventId)
  if (made) return grantAt(context, request, Number(made.revision))
  const grant = { companyId, grantId, ...termsOf(request), amountMicros, reason, at: nowOf(context) } as const
  const draft = engines.ledger.draft({ type: 'GrantCredits', ...grant })
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
    if (isSame(event.data, request)) return event
    throw new Refusal('CONFLICT', `idempotencyKey ${request.idempotencyKey} was used for another grant`)
  }
  throw new Error(`revision ${revision} of the ledger of ${request.companyId} is not the grant that was booked`)
}

function termsOf({ expiresAt, isPromotional }: GrantRequest) {
  const source: GrantSource = isPromotional ? 'PROMOTION' : 'ADJUSTMENT'
  return { source, lot: { ...WITHOUT_EXPIRY, priority: priorityOf(source), expiresAt } }
}

/** A grant from before credits had terms did not expire. */
function isSame({ amountMicros, reason, source, lot }: Granted['data'], request: GrantRequest): boolean {
  const terms = termsOf(request)
  return (
    BigInt(amountMicros) === request.amountMicros &&
    reason === request.reason &&
    source === terms.source &&
    (lot?.expiresAt ?? null) === terms.lot.expiresAt
  )
}
