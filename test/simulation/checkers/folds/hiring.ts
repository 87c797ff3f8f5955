import { only } from '../events.ts'
import type { Fold, Row } from './fold.ts'

const jobs: Fold = {
  table: 'jobs',
  key: ['job_id'],
  rowsOf: (events) =>
    only(events, 'JobPosted').map(({ data, stream }): Row => {
      const own = events.filter((event) => event.stream === stream)
      const last = only(own, 'JobPublished', 'JobClosed').at(-1)
      const open = last?.type === 'JobPublished' ? 'ACTIVE' : 'DRAFT'
      return {
        job_id: data.jobId,
        company_id: data.companyId,
        title: data.title,
        status: last?.type === 'JobClosed' ? 'CLOSED' : open,
        location: data.location,
        employment_type: data.employmentType,
        seniority: data.seniority,
        requirements: data.requirements,
        metadata: data.metadata,
        posted_at: data.postedAt,
        published_at: only(own, 'JobPublished').at(-1)?.data.publishedAt,
        closed_at: only(own, 'JobClosed').at(-1)?.data.closedAt,
      }
    }),
}

/** Nothing that describes a talent stays when they are erased. */
const talents: Fold = {
  table: 'talents',
  key: ['talent_id'],
  rowsOf: (events) =>
    only(events, 'TalentRegistered').map(({ data, stream }): Row => {
      const erased = only(events, 'TalentErased').find((event) => event.stream === stream)
      const shown = erased ? null : data
      return {
        talent_id: data.talentId,
        company_id: data.companyId,
        name: shown?.name,
        location: shown?.location,
        seniority: shown?.seniority,
        years_of_experience: shown?.yearsOfExperience,
        skills: shown?.skills ?? [],
        languages: shown?.languages ?? [],
        registered_at: data.registeredAt,
        erased_at: erased?.data.erasedAt,
      }
    }),
}

const documents: Fold = {
  table: 'documents',
  key: ['document_id'],
  rowsOf: (events) =>
    only(events, 'DocumentUploaded').map(({ data, stream }): Row => {
      const own = events.filter((event) => event.stream === stream)
      const processed = only(own, 'DocumentProcessed').at(-1)
      const failed = only(own, 'DocumentFailed').at(-1)
      const last = only(own, 'DocumentProcessed', 'DocumentFailed').at(-1)
      const ended = last?.type === 'DocumentFailed' ? 'FAILED' : 'PROCESSED'
      return {
        document_id: data.documentId,
        company_id: data.companyId,
        kind: data.kind,
        status: last ? ended : 'UPLOADED',
        filename: data.filename,
        bytes: data.bytes,
        error: failed?.data.error,
        talent_id: processed?.data.talentId,
        job_id: processed?.data.jobId,
        uploaded_at: data.uploadedAt,
      }
    }),
}

/** Start and end identify a meeting of a room. */
const meetingInsights: Fold = {
  table: 'meeting_insights',
  key: ['room', 'started_at', 'ended_at'],
  rowsOf: (events) => {
    const meetings = new Map<string, Row>()
    for (const { type, data } of only(events, 'MeetingHeld', 'MeetingWithdrawn', 'InsightGenerated')) {
      const key = { room: data.room, started_at: data.startedAt, ended_at: data.endedAt }
      const name = JSON.stringify(key)
      const known = meetings.get(name)
      if (type === 'MeetingHeld') meetings.set(name, { ...key, insight_id: null, summary: null, withdrawn: false })
      else if (type === 'MeetingWithdrawn') meetings.set(name, { ...key, ...known, withdrawn: true })
      else {
        const insight = {
          insight_id: data.insightId,
          duration_seconds: data.durationSeconds,
          company_id: data.companyId,
          job_id: data.jobId,
          talent_id: data.talentId,
          summary: data.summary,
          summary_by: data.summaryBy,
          generated_at: data.generatedAt,
        }
        meetings.set(name, { ...key, ...known, ...insight })
      }
    }
    return [...meetings.values()]
  },
}

/** The last score of each pair. */
const matchScores: Fold = {
  table: 'match_scores',
  key: ['job_id', 'talent_id'],
  rowsOf: (events) => {
    const pairs = new Map<string, Row>()
    for (const { data } of only(events, 'BatchCompleted')) {
      for (const { job: jobAt, talent: talentAt, score, parts, adjustment, explanation } of data.scores) {
        const [job, talent] = [data.jobs[jobAt], data.talents[talentAt]]
        pairs.set(`${job?.jobId} ${talent?.talentId}`, {
          job_id: job?.jobId,
          talent_id: talent?.talentId,
          company_id: job?.companyId,
          ...{ score, parts, adjustment, explanation },
          job_version: job?.version,
          talent_version: talent?.version,
          computed_at: data.completedAt,
        })
      }
    }
    return [...pairs.values()]
  },
}

export const hiringFolds: readonly Fold[] = [jobs, talents, documents, meetingInsights, matchScores]
