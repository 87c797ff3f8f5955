import { streamName } from '../../../../../contracts/streams.ts'
import { userDecider } from '../../../../../domain/user/decider.ts'
import { RESET_ENDED, requireOpenReset } from '../../../../../domain/user/passwordReset.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import { hashLinkToken, linkToken, readLinkToken } from '../../../../../platform/secrets/linkTokens.ts'
import { users } from '../../../../../projections/users/projection.ts'
import { activeUserById, activeUserByLookup } from '../../../../../projections/users/queries.ts'
import { apiError } from '../../apiError.ts'
import { change, type GraphqlContext, nowOf, send } from '../../context.ts'
import type { Resolvers } from '../../generated.ts'
import { loginOutput } from '../../signIn/loginOutput.ts'

export const RESET_MINUTES = 60
const RESET_MS = RESET_MINUTES * 60 * 1_000
/** The answer always takes this long, so that its time does not reveal whether the address belongs to a user. */
const RESET_ANSWER_MS = 300

export const passwordResets: Resolvers = {
  Mutation: {
    requestPasswordReset: async (_source, { email }, context) => {
      const { logins, clientAddress, correlationId, runtime } = context
      await logins.admit(clientAddress)
      // Not awaited, so that neither its duration nor its failure is visible.
      void requestReset(context, email).catch((error: unknown) => {
        runtime.log.error({ err: error, correlationId }, 'password reset could not be requested')
      })
      await runtime.clock.delay(RESET_ANSWER_MS)
      return true
    },

    resetPassword: async (_source, { token, password }, context) => {
      const { engines } = context.runtime
      await context.logins.admit(context.clientAddress)
      const link = readLinkToken('passwordReset', token)
      const row = link && (await activeUserById(engines.database, link.ownerId))
      if (!link || !row) throw apiError('BAD_USER_INPUT', RESET_ENDED)
      const { ownerId: userId, tokenHash } = link
      const stream = streamName('user', userId)
      // Checked before the password is hashed, which takes a tenth of a second of a core.
      const state = await engines.commands.stateOf(userDecider, stream)
      requireOpenReset(state.status === 'registered' ? state.resets : undefined, tokenHash, nowOf(context))
      const passwordHash = await context.logins.hash(password)
      const email = await engines.personal.reveal(row.email)
      const { isSuperAdmin, companyId, role } = row
      const person = { ...context, user: { userId, email, isSuperAdmin, companyId, role } }
      const command = { type: 'ResetPassword', userId, tokenHash, passwordHash, at: nowOf(context) } as const
      const changed = await change(person, users, userDecider, stream, command)
      return loginOutput(context.runtime, { userId, email, version: changed.tokenVersion })
    },
  },
}

/** Records a request, which leads to a mail, if the address belongs to a user who may sign in. */
async function requestReset(context: GraphqlContext, email: string): Promise<void> {
  const { engines, clock, ids, secrets } = context.runtime
  const user = await activeUserByLookup(engines.database, await engines.personal.lookupOf(email))
  if (!user) return
  const { userId } = user
  const resetId = ids.uuid()
  const token = linkToken(secrets.jwtSecret, { kind: 'passwordReset', ownerId: userId, linkId: resetId })
  const link = { resetId, tokenHash: hashLinkToken(token), expiresAt: isoTime(clock.now() + RESET_MS) }
  const command = { type: 'RequestPasswordReset', userId, ...link, at: nowOf(context) } as const
  await send(context, userDecider, streamName('user', userId), command)
}
