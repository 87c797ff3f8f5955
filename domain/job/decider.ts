import type { JobEvent } from '../../contracts/events/job.ts'
import { LIMITS } from '../../contracts/limits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requireText, requireTextOrNull } from '../text.ts'

export type JobState = { readonly status: 'unknown' } | { readonly status: 'active' }

export function evolve(_state: JobState, event: JobEvent): JobState {
  switch (event.type) {
    case 'JobPosted':
      return { status: 'active' }
    default:
      return unexpected(event.type)
  }
}

export type JobCommand = {
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

export function decide(command: JobCommand, state: JobState): JobEvent[] {
  const { type: _, at, ...job } = command
  if (state.status !== 'unknown') throw new Refusal('CONFLICT', `job ${job.jobId} exists already`)
  const title = requireText(job.title, 'the title of a job', LIMITS.nameCharsMax)
  const requirements = job.requirements.map((text) => requireText(text, 'a requirement', LIMITS.requirementCharsMax))
  const location = requireTextOrNull(job.location, 'the location of a job', LIMITS.nameCharsMax)
  const employmentType = requireTextOrNull(job.employmentType, 'the employment type of a job', LIMITS.nameCharsMax)
  const seniority = requireTextOrNull(job.seniority, 'the seniority of a job', LIMITS.nameCharsMax)
  const texts = { title, location, employmentType, seniority, requirements }
  return [{ type: 'JobPosted', data: { ...job, ...texts, metadata: { ...job.metadata }, postedAt: at } }]
}

export const jobDecider: Decider<JobState, JobCommand, JobEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
