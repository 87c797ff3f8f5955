import type { CommandResult, Revision } from '../../../capabilities/commands/commandHandler.ts'
import type { Runtime } from '../../../capabilities/installation.ts'
import type { PaymentProvider } from '../../../capabilities/payments/paymentProvider.ts'
import type { SavedPayments } from '../../../capabilities/payments/savedPayments.ts'
import type { ReceiptReader } from '../../../capabilities/transparency/receiptReader.ts'
import type { Actor, Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { Position } from '../../../contracts/position.ts'
import type { Role } from '../../../contracts/roles.ts'
import type { Category, StreamName } from '../../../contracts/streams.ts'
import type { Decider } from '../../../domain/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { ChangedCategory } from '../../../platform/sharedState/companyChanges/port.ts'
import { applyEvents, type Projection, type Row } from '../../../projections/projection.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import type { Credentials } from '../credentials.ts'
import type { LiveLedger } from '../live/liveLedger.ts'
import type { Logins } from './signIn/logins.ts'

/** The user that the request's token or session belongs to. */
export type SignedInUser = {
  readonly userId: string
  readonly email: string
  readonly isSuperAdmin: boolean
  /** null: a super admin who belongs to no company. */
  readonly companyId: string | null
  /** In the company; null for a super admin who belongs to no company. */
  readonly role: Role | null
}

/** How a request arrived. */
export type Arrival = {
  readonly transport: 'http' | 'websocket'
  readonly clientAddress: string
  readonly correlationId: string
  readonly credentials: Credentials | null
}

/** The context of every resolver. */
export type GraphqlContext = Arrival & {
  readonly runtime: Runtime
  readonly logins: Logins
  readonly payments: PaymentProvider
  readonly savedPayments: Pick<SavedPayments, 'remove'>
  readonly receipts: ReceiptReader
  readonly live: LiveLedger
  /** Records that a super admin reads the data of a company. */
  readonly companyAccess: { record(context: GraphqlContext, companyId: string): Promise<void> }
  /** null: the token or session is missing or not valid. */
  readonly user: SignedInUser | null
  /**
   * Whether the user's token or session is still valid, with the same role in the same company; long subscriptions check
   * this from time to time.
   */
  readonly isStillSignedIn: () => Promise<boolean>
}

export function nowOf({ runtime }: Pick<GraphqlContext, 'runtime'>): string {
  return isoTime(runtime.clock.now())
}

export function actorOf({ user }: Pick<GraphqlContext, 'user'>): Actor {
  return user ? { kind: 'user', id: user.userId } : { kind: 'system', name: 'backend' }
}

/** Sends a command under a new command id: every mutation is an intent of its own. */
export async function send<C extends Category, State, Command>(
  context: GraphqlContext,
  decider: Decider<State, Command, EventOf<C>>,
  stream: StreamName<C>,
  command: Command,
  basis: { readonly basedOn?: Revision } = {},
): Promise<CommandResult<EventOf<C>>> {
  const { runtime, correlationId } = context
  const intent = { commandId: runtime.ids.uuid(), correlationId, actor: actorOf(context), ...basis }
  return runtime.engines.commands.handle(decider, stream, command, intent)
}

/** Waits until the read model has passed the position, at most two seconds, so that the next query sees the change. */
export async function shownIn(
  { runtime }: GraphqlContext,
  model: Pick<Projection, 'name'>,
  stream: StreamName,
  position: Position | null,
): Promise<void> {
  if (position === null) return
  const { database, feed } = runtime.engines
  await hasPassed(database, model.name, position, runtime.clock, feed.partitionOf(stream))
}

/** Sends a command, waits until the read model shows its result, and returns the new row. */
export async function change<R extends Row, C extends Category, State, Command>(
  context: GraphqlContext,
  model: Projection<R, EventOf<C>>,
  decider: Decider<State, Command, EventOf<C>>,
  stream: StreamName<C>,
  command: Command,
  basis: { readonly basedOn?: Revision } = {},
): Promise<R> {
  const { position } = await send(context, decider, stream, command, basis)
  return changed(context, model, stream, position)
}

/** The row of a stream after a command, once the read model shows it. */
export async function changed<R extends Row, C extends Category>(
  context: GraphqlContext,
  model: Projection<R, EventOf<C>>,
  stream: StreamName<C>,
  position: Position | null,
): Promise<R> {
  await shownIn(context, model, stream, position)
  return rowOf(context, model, stream)
}

/**
 * Tells gateways where a company was last changed, for a change by which a call may be admitted that was refused before.
 * Without shared state a gateway may refuse for a moment longer, so a failure is only logged.
 */
export async function recordChange(
  { runtime }: Pick<GraphqlContext, 'runtime'>,
  companyId: string,
  category: ChangedCategory,
  position: Position | null,
): Promise<void> {
  if (position === null) return
  try {
    await runtime.engines.sharedState.companyChanges.record(companyId, category, position)
  } catch (error) {
    runtime.log.warn({ err: error, companyId, category }, 'change of a company could not be reported to gateways')
  }
}

/** The row that a stream folds to now, so that a mutation's answer does not depend on the read model's lag. */
async function rowOf<R extends Row, C extends Category>(
  context: GraphqlContext,
  model: Projection<R, EventOf<C>>,
  stream: StreamName<C>,
): Promise<R> {
  const events: Recorded<EventOf<C>>[] = []
  for await (const event of context.runtime.engines.store.readStream(stream)) events.push(event)
  const [row] = applyEvents(model, events).values()
  if (!row) throw new Error(`${stream} has no row in ${model.name}`)
  return row
}
