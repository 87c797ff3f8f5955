import type { TalentEvent } from '../../contracts/events/talent.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type TalentRow = {
  readonly talentId: string
  readonly companyId: string
  /** Encrypted, as stored. null once the talent is erased, like everything that describes them. */
  readonly name: string | null
  readonly location: string | null
  readonly seniority: string | null
  readonly yearsOfExperience: number | null
  readonly skills: readonly string[]
  readonly languages: readonly string[]
  readonly registeredAt: string
  readonly erasedAt: string | null
}

export const talents: Projection<TalentRow, TalentEvent> = {
  name: 'talents',
  version: 1,
  categories: ['talent'],
  table: 'talents',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['talentId'],
  rowsOf: (event) => [{ talentId: event.data.talentId }],
  evolve: (row, event) => {
    if (event.type === 'TalentRegistered') {
      const { talentId, companyId, name, location, seniority, yearsOfExperience, skills, languages } = event.data
      const profile = { name, location, seniority, yearsOfExperience, skills, languages }
      return { talentId, companyId, registeredAt: event.data.registeredAt, ...profile, erasedAt: null }
    }
    if (!row) throw new Error(`${event.type} of talent ${event.data.talentId}, who was never registered`)
    switch (event.type) {
      case 'TalentErased': {
        const nothing = { name: null, location: null, seniority: null, yearsOfExperience: null }
        return { ...row, ...nothing, skills: [], languages: [], erasedAt: event.data.erasedAt }
      }
      default:
        return unexpected(event)
    }
  },
}
