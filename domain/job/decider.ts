import type { JobEvent } from '../../contracts/events/job.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requireText, requireTextOrNull } from '../text.ts'

export const REQUIREMENT_CHARS_MAX = 500

/** A job is posted as a draft that only its company sees, then published, and finally closed. */
export type JobState =
  | { readonly status: 'unknown' }
  | { readonly status: 'draft' | 'active' | 'closed'; readonly companyId: string }

export function evolve(_state: JobState, event: JobEvent): JobState {
  const { companyId } = event.data
  switch (event.type) {
    case 'JobPosted':
      return { status: 'draft', companyId }
    case 'JobPublished':
      return { status: 'active', companyId }
    case 'JobClosed':
      return { status: 'closed', companyId }
    default:
      return unexpected(event)
  }
}

export type JobCommand =
  | {
      readonly type: 'PostJob'
      readonly jobId: string
      readonly companyId: string
      readonly title: string
      readonly location: string | null
      readonly employmentType: string | null
      readonly seniority: string | null
      readonly requirements: readonly string[]
      readonly metadata: Readonly<Record<string, unknown>>
      readonly at: string
    }
  | {
      readonly type: 'PublishJob' | 'CloseJob'
      readonly jobId: string
      /** The company that the job must belong to; the job of another company is NOT_FOUND. */
      readonly companyId: string
      readonly at: string
    }

export function decide(command: JobCommand, state: JobState): JobEvent[] {
  if (command.type === 'PostJob') return [posted(command, state)]
  const { jobId, companyId, at } = command
  if (state.status === 'unknown' || state.companyId !== companyId) {
    throw new Refusal('NOT_FOUND', `there is no job ${jobId}`)
  }
  switch (command.type) {
    case 'PublishJob':
      if (state.status === 'closed') throw new Refusal('CONFLICT', `job ${jobId} is closed and stays so`)
      return state.status === 'active' ? [] : [{ type: 'JobPublished', data: { jobId, companyId, publishedAt: at } }]
    case 'CloseJob':
      return state.status === 'closed' ? [] : [{ type: 'JobClosed', data: { jobId, companyId, closedAt: at } }]
    default:
      return unexpected(command)
  }
}

function posted(command: Extract<JobCommand, { type: 'PostJob' }>, state: JobState): JobEvent {
  const { type: _, at, ...job } = command
  if (state.status !== 'unknown') throw new Refusal('CONFLICT', `job ${job.jobId} exists already`)
  const title = requireText(job.title, 'the title of a job', NAME_CHARS_MAX)
  const requirements = job.requirements.map((text) => requireText(text, 'a requirement', REQUIREMENT_CHARS_MAX))
  const location = requireTextOrNull(job.location, 'the location of a job', NAME_CHARS_MAX)
  const employmentType = requireTextOrNull(job.employmentType, 'the employment type of a job', NAME_CHARS_MAX)
  const seniority = requireTextOrNull(job.seniority, 'the seniority of a job', NAME_CHARS_MAX)
  const texts = { title, location, employmentType, seniority, requirements }
  return { type: 'JobPosted', data: { ...job, ...texts, metadata: { ...job.metadata }, postedAt: at } }
}

export const jobDecider: Decider<JobState, JobCommand, JobEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
