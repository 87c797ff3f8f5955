import type { KeyBudget } from '../../contracts/events/apiKey.ts'
import type { CallLimits } from '../../contracts/events/callLimits.ts'
import type { ProjectEvent } from '../../contracts/events/project.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { type Budget, sameBudget, storedBudget } from '../budget.ts'
import { requireLimits, sameLimits } from '../callLimits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requireText } from '../text.ts'

export const PROJECT_MEMBERS_MAX = 200

export type ProjectState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'active' | 'archived'
      readonly companyId: string
      readonly name: string
      readonly memberIds: readonly string[]
      readonly limits: CallLimits
      readonly budget: KeyBudget | null
    }
type Known = Exclude<ProjectState, { status: 'unknown' }>

export function evolve(state: ProjectState, event: ProjectEvent): ProjectState {
  if (event.type === 'ProjectCreated') {
    const { companyId, name, memberIds, limits } = event.data
    return { status: 'active', companyId, name, memberIds, limits, budget: null }
  }
  if (state.status === 'unknown') return state
  switch (event.type) {
    case 'ProjectUpdated': {
      const { name = state.name, memberIds = state.memberIds, limits = state.limits, archived } = event.data
      const status = archived === undefined ? state.status : archived ? 'archived' : 'active'
      return { ...state, status, name, memberIds, limits }
    }
    case 'ProjectBudgetSet':
      return { ...state, budget: event.data.budget }
    default:
      return unexpected(event)
  }
}

export type ProjectSettings = {
  readonly name: string
  readonly memberIds: readonly string[]
  readonly limits: CallLimits
}
type Subject = { readonly projectId: string; readonly by: string; readonly at: string }

export type ProjectCommand =
  | ({ readonly type: 'CreateProject'; readonly companyId: string } & ProjectSettings & Subject)
  | ({
      readonly type: 'UpdateProject'
      readonly changes: Partial<ProjectSettings & { readonly archived: boolean }>
    } & Subject)
  | ({ readonly type: 'SetProjectBudget'; readonly budget: Budget | null } & Subject)

export function decide(command: ProjectCommand, state: ProjectState): ProjectEvent[] {
  const { projectId, by, at } = command
  switch (command.type) {
    case 'CreateProject': {
      if (state.status !== 'unknown') throw new Refusal('CONFLICT', `project ${projectId} exists already`)
      const { companyId, name, memberIds, limits } = command
      const settings = {
        name: requireName(name),
        memberIds: requireMembers(memberIds),
        limits: requireLimits(limits),
      }
      return [{ type: 'ProjectCreated', data: { projectId, companyId, ...settings, createdBy: by, createdAt: at } }]
    }
    case 'UpdateProject': {
      const project = requireKnown(state, projectId)
      const changed = changedOf(project, command.changes)
      if (Object.keys(changed).length === 0) return []
      if (changed.archived !== false) requireActive(project, projectId)
      return [{ type: 'ProjectUpdated', data: { projectId, ...changed, updatedBy: by, updatedAt: at } }]
    }
    case 'SetProjectBudget': {
      const project = requireKnown(state, projectId)
      const budget = storedBudget(command.budget, 'the budget of a project')
      if (sameBudget(project.budget, budget)) return []
      requireActive(project, projectId)
      return [{ type: 'ProjectBudgetSet', data: { projectId, budget, setBy: by, setAt: at } }]
    }
    default:
      return unexpected(command)
  }
}

type Changes = Extract<ProjectCommand, { type: 'UpdateProject' }>['changes']

/** The valid settings that differ from the present ones. */
function changedOf(present: Known, changes: Changes) {
  const name = changes.name === undefined ? present.name : requireName(changes.name)
  const memberIds = changes.memberIds === undefined ? present.memberIds : requireMembers(changes.memberIds)
  const limits = changes.limits === undefined ? present.limits : requireLimits(changes.limits)
  const wasArchived = present.status === 'archived'
  const { archived = wasArchived } = changes
  return {
    ...(name !== present.name && { name }),
    ...(!sameMembers(memberIds, present.memberIds) && { memberIds: [...memberIds] }),
    ...(!sameLimits(limits, present.limits) && { limits }),
    ...(archived !== wasArchived && { archived }),
  }
}

/** The order of members means nothing. */
function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  const members = new Set(other)
  return one.length === other.length && one.every((memberId) => members.has(memberId))
}

function requireName(name: string): string {
  return requireText(name, 'the name of a project', NAME_CHARS_MAX)
}

function requireMembers(memberIds: readonly string[]): string[] {
  const members = [...new Set(memberIds)]
  if (members.length <= PROJECT_MEMBERS_MAX) return members
  throw new Refusal('INVALID', `a project has at most ${PROJECT_MEMBERS_MAX} members, not ${members.length}`)
}

function requireKnown(state: ProjectState, projectId: string): Known {
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no project ${projectId}`)
  return state
}

function requireActive({ status }: Known, projectId: string): void {
  if (status === 'active') return
  throw new Refusal('CONFLICT', `project ${projectId} is archived: set archived to false before you change it`)
}

export const projectDecider: Decider<ProjectState, ProjectCommand, ProjectEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
