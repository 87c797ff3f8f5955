import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'

export const jobEvents = {
  JobPosted: event(
    1,
    z.strictObject({
      jobId: id,
      companyId: id,
      title: z.string(),
      location: z.string().nullable(),
      employmentType: z.string().nullable(),
      seniority: z.string().nullable(),
      requirements: z.array(z.string()),
      metadata: z.record(z.string(), z.unknown()),
      postedAt: isoTime,
    }),
  ),
  JobPublished: event(1, z.strictObject({ jobId: id, companyId: id, publishedAt: isoTime })),
  JobClosed: event(1, z.strictObject({ jobId: id, companyId: id, closedAt: isoTime })),
}

export type JobEvent = EventUnion<typeof jobEvents>
