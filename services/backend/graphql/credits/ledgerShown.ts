import type { Position } from '../../../../contracts/position.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { creditBalances } from '../../../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../../../projections/creditTransactions/projection.ts'
import { type GraphqlContext, recordChange, shownIn } from '../context.ts'

/** After an entry was booked: reports it to gateways, and waits until the read models of credits show it. */
export async function ledgerShown(context: GraphqlContext, companyId: string, position: Position): Promise<void> {
  await recordChange(context, companyId, 'ledger', position)
  const stream = streamName('ledger', companyId)
  await Promise.all([creditBalances, creditTransactions].map((model) => shownIn(context, model, stream, position)))
}
