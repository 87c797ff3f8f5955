import type { UpdateProjectInput } from '../../graphql/generated.ts'
import { type LimitsDraft, limitsDraftOf, limitsIn, NO_LIMITS, type Project } from './projectWords.ts'

/** The fields of the dialog, as typed. */
export type ProjectDraft = {
  readonly name: string
  readonly members: readonly string[]
  readonly limits: LimitsDraft
}

export const NEW_PROJECT: ProjectDraft = { name: '', members: [], limits: NO_LIMITS }

export function draftOf({ name, members, limits }: Project): ProjectDraft {
  return { name, members, limits: limitsDraftOf(limits) }
}

/** Only what was changed, so that two people who edit different fields do not undo each other's change. */
export function changesOf(before: ProjectDraft, draft: ProjectDraft): UpdateProjectInput {
  const [had, limits] = [limitsIn(before.limits), limitsIn(draft.limits)]
  const sameMembers = before.members.toSorted().join() === draft.members.toSorted().join()
  return {
    ...(draft.name.trim() !== before.name && { name: draft.name.trim() }),
    ...(!sameMembers && { members: draft.members }),
    ...(JSON.stringify(had) !== JSON.stringify(limits) && { limits }),
  }
}
