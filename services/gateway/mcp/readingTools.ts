import { z } from 'zod'
import { USAGE_GROUPS } from '../../../projections/usage/queries.ts'
import { JOBS_PAGE_MAX, listJobs } from '../routes/jobs.ts'
import { listModels } from '../routes/models.ts'
import { usageReport } from '../routes/usage.ts'
import { tool } from './tool.ts'

const amounts = {
  requests: z.number(),
  failures: z.number(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  credits: z.number(),
}
const limit = z.object({ limit: z.number(), remaining: z.number(), reset_at: z.string() })

/** The calls that cost nothing. */
export const readingTools = [
  tool({
    name: 'list_models',
    title: 'List models',
    description: 'Lists the model aliases that this key may call.',
    scope: 'inference:chat',
    input: z.strictObject({}),
    output: z.object({
      object: z.literal('list'),
      data: z.array(z.object({ id: z.string(), object: z.string(), created: z.number(), owned_by: z.string() })),
    }),
    readOnly: true,
    run: async (_parts, { key }) => listModels(key),
  }),
  tool({
    name: 'get_usage',
    title: 'Get usage',
    description: 'Tells what this key has used and spent, current to the last finished call, and what is left.',
    scope: 'usage:read',
    input: z.strictObject({
      from: z.string().optional().describe('ISO 8601 time or date; without it, 30 days ago'),
      to: z.string().optional().describe('ISO 8601 time or date; without it, now'),
      group_by: z.enum(USAGE_GROUPS).optional(),
    }),
    output: z.object({
      object: z.literal('usage'),
      from: z.string(),
      to: z.string(),
      group_by: z.enum(USAGE_GROUPS),
      totals: z.object(amounts),
      data: z.array(z.object({ group: z.string(), ...amounts })),
      balance: z.object({ credits: z.number() }),
      limits: z.object({ rpm: limit, tpm: limit }),
    }),
    readOnly: true,
    run: (deps, { key }, input) => usageReport(deps, key, new URLSearchParams(given(input))),
  }),
  tool({
    name: 'list_jobs',
    title: 'List jobs',
    description: "Lists the company's active job openings with their requirements and metadata, the newest first.",
    scope: 'jobs:read',
    input: z.strictObject({
      limit: z.number().int().min(1).max(JOBS_PAGE_MAX).optional(),
      cursor: z.string().optional().describe('next_cursor of the page before'),
    }),
    output: z.object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          status: z.string(),
          location: z.string().nullable(),
          employment_type: z.string().nullable(),
          seniority: z.string().nullable(),
          requirements: z.array(z.string()),
          metadata: z.record(z.string(), z.unknown()),
          created_at: z.string(),
        }),
      ),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
    }),
    readOnly: true,
    run: (deps, { key }, input) =>
      listJobs(deps, key.companyId, input.limit === undefined ? null : String(input.limit), input.cursor ?? null),
  }),
]

function given(input: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(input).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
