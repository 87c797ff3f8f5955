import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { streamName } from '../../../contracts/streams.ts'
import { topUpDecider } from '../../../domain/topUp/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { packById } from '../../../projections/creditPacks/queries.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import type { FallenBalance } from './fallenBalances.ts'
import { type TopUpParts, whyBlocked } from './runAttempt.ts'

export type StartingParts = TopUpParts & { readonly database: Sql }

/** Whether an attempt was started. */
export async function startAttempt(parts: StartingParts, { companyId, ...balance }: FallenBalance): Promise<boolean> {
  const { commands, database, clock } = parts
  const stream = streamName('topUp', companyId)
  const { settings, changes } = await commands.stateOf(topUpDecider, stream)
  const pack = settings && (await packById(database, settings.packId))
  if (!pack || pack.status === 'RETIRED' || (await whyBlocked(parts, companyId)) !== null) return false
  // The same fall with the same settings is the same attempt, whichever reactor finds it and how often.
  const attemptId = deterministicId(`topUp:${companyId}:${balance.grantsMicros}:${changes}`)
  const { packId, creditsMicros, price, currency } = pack
  const validDays = pack.validDays === null ? null : Number(pack.validDays)
  const { events } = await commands.handle(
    topUpDecider,
    stream,
    {
      type: 'StartAttempt',
      ...{ companyId, attemptId, purchaseId: deterministicId(`purchase:${attemptId}`), changes },
      ...{ grantsMicros: BigInt(balance.grantsMicros), balanceMicros: BigInt(balance.balanceMicros) },
      ...{ pack: { packId, creditsMicros, price, currency, validDays }, at: isoTime(clock.now()) },
    },
    // Balances read a moment apart differ, so the attempt alone does not identify the command.
    {
      commandId: `topUp start:${attemptId}:${balance.balanceMicros}:${price}`,
      correlationId: `topUp:${attemptId}`,
      actor: REACTOR,
    },
  )
  return events.length > 0
}
