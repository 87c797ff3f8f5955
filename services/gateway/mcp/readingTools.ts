import { z } from 'zod'
import { JOBS_SUMMARY, jobsAnswer, jobsCursor, jobsLimit, listJobs } from '../routes/jobs.ts'
import { listModels, MODELS_SUMMARY, modelsAnswer } from '../routes/models.ts'
import { USAGE_SUMMARY, usageAnswer, usageArguments, usageReport } from '../routes/usage.ts'
import { tool } from './tool.ts'

/** The free tools. Each does the same as its route, with the same schemas. */
export const readingTools = [
  tool({
    name: 'list_models',
    title: 'List models',
    description: MODELS_SUMMARY,
    scope: 'inference:chat',
    input: z.strictObject({}),
    output: modelsAnswer,
    readOnly: true,
    run: async (deps, { key }) => listModels(deps, key),
  }),
  tool({
    name: 'get_usage',
    title: 'Get usage',
    description: USAGE_SUMMARY,
    scope: 'usage:read',
    input: usageArguments,
    output: usageAnswer,
    readOnly: true,
    run: (deps, { key }, input) => usageReport(deps, key, input),
  }),
  tool({
    name: 'list_jobs',
    title: 'List jobs',
    description: JOBS_SUMMARY,
    scope: 'jobs:read',
    input: z.strictObject({ limit: jobsLimit.optional(), cursor: jobsCursor.optional() }),
    output: jobsAnswer,
    readOnly: true,
    run: (deps, { key }, input) => listJobs(deps, key.companyId, input),
  }),
]
