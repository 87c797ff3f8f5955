import { hasJob } from '../../../../../projections/jobs/queries.ts'
import type { MatchScoreRow } from '../../../../../projections/matchScores/projection.ts'
import { scoresOfJob } from '../../../../../projections/matchScores/queries.ts'
import { requireCompany } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import type { MatchScore, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'

const MATCH_SCORES_PAGE_MAX = 1_000

export const matchScores: Resolvers = {
  Query: {
    /** The best first, limited to what a person would read. */
    matchScores: async (_source, { jobId }, context) => {
      const companyId = requireCompany(context)
      const id = requireId(jobId, 'job')
      const { database } = context.runtime.engines
      if (!(await hasJob(database, companyId, id))) throw notFound('job', id)
      return (await scoresOfJob(database, companyId, id, MATCH_SCORES_PAGE_MAX)).map(shownScore)
    },
  },
}

function shownScore({ jobId, talentId, score, parts, explanation, computedAt }: MatchScoreRow): MatchScore {
  return { jobId, talentId, score, parts, explanation, computedAt }
}
