import { scoresOfJob } from '../../../projections/matchScores/queries.ts'
import type { AiHarness } from '../harness/aiHarness.ts'
import { collect } from './events.ts'

export const GENERATOR_PATH = '/api/v1/background-tasks/match-score-generator'

/** Reads what the match score generator has done from its events, rows and routes. */
export function matchScoreReads(current: () => { readonly ai: AiHarness; readonly companyId: string }) {
  const eventsOf = () => collect(current().ai.engines.store.readStream('generator-match-scores'))
  const completed = async () => (await eventsOf()).filter((event) => event.type === 'BatchCompleted')
  return {
    eventsOf,
    scoresOf: (jobId: string) => scoresOfJob(current().ai.engines.database, current().companyId, jobId, 100),
    scoredPairs: async () =>
      (await completed()).flatMap(({ data }) =>
        data.scores.map(({ job, talent }) => `${data.jobs[job]?.jobId} ${data.talents[talent]?.talentId}`),
      ),
    status: async () => (await current().ai.get(`${GENERATOR_PATH}/status`)).json,
    metrics: async () => (await current().ai.get(`${GENERATOR_PATH}/metrics`)).json,
  }
}
