import type { TalentEvent } from '../../contracts/events/talent.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requireText, requireTextOrNull } from '../text.ts'

export type TalentState =
  | { readonly status: 'unknown' }
  | { readonly status: 'active' | 'erased'; readonly companyId: string }

export function evolve(_state: TalentState, event: TalentEvent): TalentState {
  const { companyId } = event.data
  switch (event.type) {
    case 'TalentRegistered':
      return { status: 'active', companyId }
    case 'TalentErased':
      return { status: 'erased', companyId }
    default:
      return unexpected(event)
  }
}

type RegisterTalent = {
  readonly type: 'RegisterTalent'
  readonly talentId: string
  readonly companyId: string
  readonly name: string
  readonly location: string | null
  readonly seniority: string | null
  readonly yearsOfExperience: number | null
  readonly skills: readonly string[]
  readonly languages: readonly string[]
  readonly at: string
}

export type TalentCommand =
  | RegisterTalent
  | {
      readonly type: 'EraseTalent'
      readonly talentId: string
      /** The company that the talent must belong to; the talent of another company is NOT_FOUND. */
      readonly companyId: string
      readonly at: string
    }

export function decide(command: TalentCommand, state: TalentState): TalentEvent[] {
  switch (command.type) {
    case 'RegisterTalent':
      return [registered(command, state)]
    case 'EraseTalent': {
      const { talentId, companyId, at } = command
      if (state.status === 'unknown' || state.companyId !== companyId) {
        throw new Refusal('NOT_FOUND', `there is no talent ${talentId}`)
      }
      return state.status === 'erased' ? [] : [{ type: 'TalentErased', data: { talentId, companyId, erasedAt: at } }]
    }
    default:
      return unexpected(command)
  }
}

function registered(command: RegisterTalent, state: TalentState): TalentEvent {
  const { type: _, at, ...talent } = command
  if (state.status !== 'unknown') throw new Refusal('CONFLICT', `talent ${talent.talentId} exists already`)
  const name = requireText(talent.name, 'the name of a talent', NAME_CHARS_MAX)
  const skills = talent.skills.map((skill) => requireText(skill, 'a skill', NAME_CHARS_MAX))
  const languages = talent.languages.map((language) => requireText(language, 'a language', NAME_CHARS_MAX))
  const location = requireTextOrNull(talent.location, 'the location of a talent', NAME_CHARS_MAX)
  const seniority = requireTextOrNull(talent.seniority, 'the seniority of a talent', NAME_CHARS_MAX)
  const years = talent.yearsOfExperience
  if (years !== null && !(Number.isFinite(years) && years >= 0)) {
    throw new Refusal('INVALID', 'yearsOfExperience must be a number of at least 0')
  }
  const texts = { name, location, seniority, skills, languages }
  return { type: 'TalentRegistered', data: { ...talent, ...texts, registeredAt: at } }
}

export const talentDecider: Decider<TalentState, TalentCommand, TalentEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
