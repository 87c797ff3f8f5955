import { streamName } from '../../../../../contracts/streams.ts'
import { type JobCommand, jobDecider } from '../../../../../domain/job/decider.ts'
import { type JobRow, jobs as jobsModel } from '../../../../../projections/jobs/projection.ts'
import { jobsOf } from '../../../../../projections/jobs/queries.ts'
import { requireCompany } from '../../access/access.ts'
import { change, type GraphqlContext, nowOf } from '../../context.ts'
import type { Job, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'

export const jobs: Resolvers = {
  Query: {
    jobs: async (_source, _args, context) => {
      const rows = await jobsOf(context.runtime.engines.database, requireCompany(context), LIST_ROWS_MAX)
      return rows.map(shownJob)
    },
  },

  Mutation: {
    postJob: (_source, { input }, context) =>
      carryOut(context, {
        type: 'PostJob',
        jobId: context.runtime.ids.uuid(),
        companyId: requireCompany(context),
        title: input.title,
        location: input.location ?? null,
        employmentType: input.employmentType ?? null,
        seniority: input.seniority ?? null,
        requirements: input.requirements ?? [],
        metadata: input.metadata ?? {},
        at: nowOf(context),
      }),
    publishJob: (_source, { id }, context) => carryOut(context, ownJob(context, 'PublishJob', id)),
    closeJob: (_source, { id }, context) => carryOut(context, ownJob(context, 'CloseJob', id)),
  },
}

function ownJob(context: GraphqlContext, type: 'PublishJob' | 'CloseJob', id: string): JobCommand {
  const companyId = requireCompany(context)
  return { type, jobId: requireId(id, 'job'), companyId, at: nowOf(context) }
}

async function carryOut(context: GraphqlContext, command: JobCommand): Promise<Job> {
  return shownJob(await change(context, jobsModel, jobDecider, streamName('job', command.jobId), command))
}

function shownJob(row: JobRow): Job {
  const { jobId, title, status, location, employmentType, seniority, requirements, metadata, postedAt } = row
  const job = { id: jobId, title, status, location, employmentType, seniority, requirements }
  return { ...job, metadata, createdAt: postedAt }
}
