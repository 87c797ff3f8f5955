import { streamName } from '../../../../../contracts/streams.ts'
import { talentDecider } from '../../../../../domain/talent/decider.ts'
import { type TalentRow, talents as talentsModel } from '../../../../../projections/talents/projection.ts'
import { talentsOf } from '../../../../../projections/talents/queries.ts'
import { requireCompany } from '../../access/access.ts'
import { change, type GraphqlContext, nowOf, send, shownIn } from '../../context.ts'
import type { Resolvers, Talent } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'

export const talents: Resolvers = {
  Query: {
    talents: async (_source, _args, context) => {
      const rows = await talentsOf(context.runtime.engines.database, requireCompany(context), LIST_ROWS_MAX)
      return shownTalents(context, rows)
    },
  },

  Mutation: {
    registerTalent: async (_source, { input }, context) => {
      const talentId = context.runtime.ids.uuid()
      const command = {
        type: 'RegisterTalent',
        talentId,
        companyId: requireCompany(context),
        name: input.name,
        location: input.location ?? null,
        seniority: input.seniority ?? null,
        yearsOfExperience: input.yearsOfExperience ?? null,
        skills: input.skills ?? [],
        languages: input.languages ?? [],
        at: nowOf(context),
      } as const
      const row = await change(context, talentsModel, talentDecider, streamName('talent', talentId), command)
      const [talent] = await shownTalents(context, [row])
      return talent as Talent
    },

    // The event comes before the key is deleted: a crash in between must not leave a talent who seems to exist.
    eraseTalent: async (_source, { id }, context) => {
      const companyId = requireCompany(context)
      const stream = streamName('talent', requireId(id, 'talent'))
      const command = { type: 'EraseTalent', talentId: id, companyId, at: nowOf(context) } as const
      const { position } = await send(context, talentDecider, stream, command)
      await context.runtime.engines.personal.erase(stream)
      await shownIn(context, talentsModel, stream, position)
      return true
    },
  },
}

async function shownTalents({ runtime }: GraphqlContext, rows: readonly TalentRow[]): Promise<Talent[]> {
  const revealed = await runtime.engines.personal.revealRows(rows, 'name')
  return revealed.map(({ talentId: id, name, location, seniority, yearsOfExperience, skills, languages, ...row }) => ({
    ...{ id, name: name ?? '', location, seniority, yearsOfExperience, skills, languages },
    createdAt: row.registeredAt,
  }))
}
