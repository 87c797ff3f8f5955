import type { GeneratorQuery, LeasesQuery, ReadModelsQuery } from '../../graphql/generated.ts'
import type { Tone } from '../../parts/Badge.tsx'

export type ReadModel = ReadModelsQuery['readModels'][number]
export type Lease = LeasesQuery['leases'][number]
type Generator = GeneratorQuery['generator']

export type State = { readonly name: string; readonly tone: Tone }

/** A read model whose events have waited this long needs attention; before that, it is just busy. */
const BEHIND_SECONDS_MAX = 10

export function stateOfModel({ version, currentVersion, lagEvents, lagSeconds }: ReadModel): State {
  if (version === null) return { name: 'Not built yet', tone: 'warning' }
  if (version !== currentVersion) return { name: 'Rebuild it', tone: 'danger' }
  if ((lagSeconds ?? 0) > BEHIND_SECONDS_MAX) return { name: 'Behind', tone: 'warning' }
  return (lagEvents ?? 0) > 0 ? { name: 'Busy', tone: 'plain' } : { name: 'Up to date', tone: 'good' }
}

const URGENCY: Readonly<Record<Tone, number>> = { danger: 0, warning: 1, plain: 2, good: 2 }

/** Puts those that need attention first, otherwise sorts by name, so that rows do not jump while models are busy. */
export function mostUrgentFirst(models: readonly ReadModel[]): readonly ReadModel[] {
  const urgency = (model: ReadModel) => URGENCY[stateOfModel(model).tone]
  return models.toSorted((a, b) => urgency(a) - urgency(b) || (a.name < b.name ? -1 : 1))
}

/** A badge that sums up the state of all read models. */
export function stateOfModels(models: readonly ReadModel[]): State {
  const urgent = models.map(stateOfModel).filter(({ tone }) => URGENCY[tone] < URGENCY.plain)
  if (urgent.length === 0) return { name: 'All up to date', tone: 'good' }
  const tone = urgent.some((state) => state.tone === 'danger') ? 'danger' : 'warning'
  return { name: `${urgent.length} of ${models.length} need attention`, tone }
}

const LEASES: Readonly<Record<string, string>> = {
  relay: 'Publishes events to Kafka',
  sealer: 'Seals the transparency log',
  'match-score-generator': 'Scores matches',
}

/** Describes the work of a lease's holder; null if the name says it. */
export function workOf({ name }: Pick<Lease, 'name'>): string | null {
  if (name.startsWith('subscription of ')) return 'Changes the plan of a company'
  return LEASES[name] ?? null
}

/** How many calls to expect, as far as the last run shows it. The API does not count the pairs that are left. */
export function paceWords(figures: Generator['figures']): string {
  const unknown = 'How many pairs are left is not known before it runs.'
  if (!figures || figures.matchesPerMinute === 0) return unknown
  const callsMax = Math.round(figures.matchesPerMinute * 60).toLocaleString()
  return `${unknown} At the pace of its last run, it makes at most ${callsMax} calls an hour.`
}

export function stateOfGenerator({ isStarted, figures }: Generator): State {
  if (isStarted && figures === null) return { name: 'Waiting for an AI service', tone: 'warning' }
  if (isStarted) return { name: figures?.isProcessing ? 'Scoring' : 'Started', tone: 'good' }
  return { name: figures?.isProcessing ? 'Stopping' : 'Stopped', tone: 'plain' }
}
