import type { TalentEvent } from '../../contracts/events/talent.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type TalentRow = {
  readonly talent_id: string
  readonly company_id: string
  /** Encrypted, as stored. null once the talent is erased, like everything that describes them. */
  readonly name: string | null
  readonly location: string | null
  readonly seniority: string | null
  readonly years_of_experience: number | null
  readonly skills: readonly string[]
  readonly languages: readonly string[]
  readonly registered_at: string
  readonly erased_at: string | null
}

export const talents: Projection<TalentRow, TalentEvent> = {
  name: 'talents',
  version: 1,
  categories: ['talent'],
  table: 'talents',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['talent_id'],
  rowsOf: (event) => [{ talent_id: event.data.talentId }],
  evolve: (row, event) => {
    if (event.type === 'TalentRegistered') {
      const { talentId, companyId, name, location, seniority, yearsOfExperience, skills, languages } = event.data
      const place = { talent_id: talentId, company_id: companyId, registered_at: event.data.registeredAt }
      const profile = { location, seniority, years_of_experience: yearsOfExperience, skills, languages }
      return { ...place, name, ...profile, erased_at: null }
    }
    if (!row) throw new Error(`${event.type} of talent ${event.data.talentId}, who was never registered`)
    switch (event.type) {
      case 'TalentErased': {
        const nothing = { name: null, location: null, seniority: null, years_of_experience: null }
        return { ...row, ...nothing, skills: [], languages: [], erased_at: event.data.erasedAt }
      }
      default:
        return unexpected(event)
    }
  },
}
