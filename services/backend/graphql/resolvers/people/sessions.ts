import {
  endSession,
  type SessionRow,
  sessionOf,
  sessionsOfUser,
} from '../../../../../capabilities/sessions/sessionTable.ts'
import { activeUserById } from '../../../../../projections/users/queries.ts'
import { requireUser } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import type { GraphqlContext } from '../../context.ts'
import type { Resolvers, Session } from '../../generated.ts'
import { requireId } from '../../ids.ts'

export const sessions: Resolvers = {
  Query: {
    sessions: async (_source, _args, context) => {
      const { userId } = requireUser(context)
      const { engines, clock } = context.runtime
      const user = await activeUserById(engines.database, userId)
      if (!user) return []
      const rows = await sessionsOfUser(engines.database, { userId, tokenVersion: user.tokenVersion }, clock.now())
      const currentId = await currentSessionId(context)
      return rows.map((row) => shownSession(row, currentId))
    },
  },

  Mutation: {
    endSession: async (_source, { id }, context) => {
      const { userId } = requireUser(context)
      const { database } = context.runtime.engines
      if (!(await endSession(database, userId, requireId(id, 'session')))) throw notFound('session', id)
      return true
    },
  },
}

/** null: the caller uses a token. */
async function currentSessionId({ credentials, runtime }: GraphqlContext): Promise<string | null> {
  if (credentials?.kind !== 'session') return null
  const { engines, secrets, clock } = runtime
  const row = await sessionOf(engines.database, secrets.jwtSecret, credentials.secret, clock.now())
  return row?.sessionId ?? null
}

function shownSession(row: SessionRow, currentId: string | null): Session {
  const { sessionId: id, device, network, createdAt, lastUsedAt, expiresAt } = row
  return { id, device, network, createdAt, lastUsedAt, expiresAt, isCurrent: id === currentId }
}
