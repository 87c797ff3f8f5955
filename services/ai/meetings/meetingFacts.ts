import type { Installation } from '../../../capabilities/installation.ts'
import { ERASED } from '../../../capabilities/personalData/personalData.ts'
import { streamName } from '../../../contracts/streams.ts'
import type { Meeting } from '../../../domain/meeting/decider.ts'
import type { MeetingFacts } from '../../../domain/meeting/facts.ts'
import { linksOf } from '../../../domain/meeting/room.ts'

export type FactSources = Pick<Installation, 'store' | 'personal'> & {
  /** The match score of the pair; null if there is none. */
  scoreOf(jobId: string, talentId: string): Promise<number | null>
}

export type LinkedFacts = {
  readonly facts: MeetingFacts
  /** The company of the job or talent; null if the room links neither. */
  readonly companyId: string | null
  readonly jobId: string | null
  readonly talentId: string | null
}

/**
 * The facts about a meeting, read from the streams because a read model may be behind. A talent of another company than the
 * job's is left out, because neither company may learn about the other's data.
 */
export async function meetingFacts(sources: FactSources, room: string, meeting: Meeting): Promise<LinkedFacts> {
  const links = linksOf(room)
  const job = links && (await jobOf(sources, links.jobId))
  const found = links && (await talentOf(sources, links.talentId))
  const talent = job && found && job.companyId !== found.companyId ? null : found
  const score = job && talent && links ? await sources.scoreOf(links.jobId, links.talentId) : null
  const isLinked = job !== null || talent !== null
  return {
    facts: {
      room: isLinked ? null : room,
      startedAt: meeting.startedAt,
      endedAt: meeting.endedAt,
      job,
      talent,
      score,
    },
    companyId: job?.companyId ?? talent?.companyId ?? null,
    jobId: job && links ? links.jobId : null,
    talentId: talent && links ? links.talentId : null,
  }
}

async function jobOf({ store }: FactSources, jobId: string) {
  for await (const event of store.readStream(streamName('job', jobId))) {
    if (event.type !== 'JobPosted') continue
    const { companyId, title, location, seniority, requirements } = event.data
    return { companyId, title, location, seniority, requirements }
  }
  return null
}

async function talentOf({ store, personal }: FactSources, talentId: string) {
  for await (const event of store.readStream(streamName('talent', talentId))) {
    if (event.type !== 'TalentRegistered') continue
    const { companyId, location, seniority, yearsOfExperience, skills, languages } = event.data
    const name = await personal.reveal(event.data.name)
    if (name === ERASED) return null
    return { companyId, name, location, seniority, yearsOfExperience, skills, languages }
  }
  return null
}
