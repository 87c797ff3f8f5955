import type { CompanyEvent } from '../../../../contracts/events/company.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { companyDecider } from '../../../../domain/company/decider.ts'
import type { InvitationsCommand } from '../../../../domain/company/invitations.ts'
import { Refusal } from '../../../../domain/decider.ts'
import { invitations } from '../../../../projections/invitations/projection.ts'
import { openInvitationsTo } from '../../../../projections/invitations/queries.ts'
import { type GraphqlContext, nowOf, send, shownIn } from '../context.ts'

/** Sends the command, waits until the invitations show its result, and returns its events. */
export async function changeInvitations(
  context: GraphqlContext,
  command: InvitationsCommand,
): Promise<readonly CompanyEvent[]> {
  const stream = streamName('company', command.companyId)
  const { events, position } = await send(context, companyDecider, stream, command)
  await eraseEnded(context, events)
  await shownIn(context, invitations, stream, position)
  return events
}

/** Destroys the keys of the addresses of withdrawn invitations. Those of accepted ones go once the person is a user. */
export async function eraseEnded(context: GraphqlContext, events: readonly CompanyEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type === 'InvitationWithdrawn') await eraseAddress(context, event.data.invitationId)
  }
}

export async function eraseAddress({ runtime }: GraphqlContext, invitationId: string): Promise<void> {
  await runtime.engines.personal.erase(`invitation-${invitationId}`)
}

/** Withdraws the invitations of all companies to an address, for a person who is erased. */
export async function endInvitationsTo(context: GraphqlContext, emailLookup: string): Promise<void> {
  const open = await openInvitationsTo(context.runtime.engines.database, emailLookup)
  for (const { companyId, invitationId } of open) {
    const command = { type: 'WithdrawInvitation', companyId, invitationId, byOwner: true, at: nowOf(context) } as const
    await changeInvitations(context, command).catch((error: unknown) => {
      // It has ended meanwhile.
      if (!(error instanceof Refusal)) throw error
    })
  }
}
