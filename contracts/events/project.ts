import { z } from 'zod'
import { keyBudget } from './apiKey.ts'
import { callLimits } from './callLimits.ts'
import { type EventUnion, event, id, isoTime } from './definition.ts'

export const projectEvents = {
  /** A company's keys can be put into it. Its members see its keys, usage and calls. */
  ProjectCreated: event(
    1,
    z.strictObject({
      projectId: id,
      companyId: id,
      name: z.string(),
      memberIds: z.array(id),
      limits: callLimits,
      createdBy: id,
      createdAt: isoTime,
    }),
  ),
  /** Only the changed settings. */
  ProjectUpdated: event(
    1,
    z.strictObject({
      projectId: id,
      name: z.string().optional(),
      memberIds: z.array(id).optional(),
      limits: callLimits.optional(),
      archived: z.boolean().optional(),
      updatedBy: id,
      updatedAt: isoTime,
    }),
  ),
  /** The most that all keys of the project may spend together; null removes it. */
  ProjectBudgetSet: event(
    1,
    z.strictObject({ projectId: id, budget: keyBudget.nullable(), setBy: id, setAt: isoTime }),
  ),
}

export type ProjectEvent = EventUnion<typeof projectEvents>
