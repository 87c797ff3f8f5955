import { PROJECTS_MAX } from '../../../../../contracts/limits.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { Refusal } from '../../../../../domain/decider.ts'
import { PROJECT_MEMBERS_MAX, projectDecider } from '../../../../../domain/project/decider.ts'
import { budgetIn } from '../../../../../projections/budgetColumns.ts'
import { type ProjectRow, projects as projectsModel } from '../../../../../projections/projects/projection.ts'
import { liveKeysByProject, projectCountOf, projectsOf } from '../../../../../projections/projects/queries.ts'
import { usersAmong } from '../../../../../projections/users/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { onlySeenBy } from '../../access/visibleKeys.ts'
import { requireProject } from '../../access/visibleProjects.ts'
import { apiError, notFound } from '../../apiError.ts'
import { shownAmount } from '../../budgets/budgetAmounts.ts'
import { limitsFrom } from '../../budgets/callLimits.ts'
import { change, type GraphqlContext, nowOf } from '../../context.ts'
import type { Project, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'

export const projects: Resolvers = {
  Query: {
    projects: async (_source, { includeArchived }, context) => {
      const companyId = requireCompany(context)
      const { database } = context.runtime.engines
      const rows = await projectsOf(database, { companyId, memberId: onlySeenBy(context), includeArchived })
      const keys = await liveKeysByProject(database, companyId, nowOf(context))
      return rows.map((row) => shownProject(row, keys.get(row.projectId) ?? 0))
    },
  },

  Mutation: {
    createProject: async (_source, { input }, context) => {
      const companyId = requireCompany(context)
      await requireRoom(context, companyId)
      const memberIds = input.members ?? []
      await requireUsers(context, companyId, memberIds)
      const projectId = context.runtime.ids.uuid()
      const settings = { name: input.name, memberIds, limits: limitsFrom(input.limits) }
      const by = requireUser(context).userId
      const command = { type: 'CreateProject', projectId, companyId, ...settings, by, at: nowOf(context) } as const
      const stream = streamName('project', projectId)
      return shownProject(await change(context, projectsModel, projectDecider, stream, command), 0)
    },

    updateProject: async (_source, { id, input }, context) => {
      const project = await requireProject(context, id)
      const { companyId, projectId } = project
      const { name, members, limits, archived } = input
      // A member who has left the company since may stay, so that the others can be changed without that one.
      const joining = members?.filter((memberId) => !project.memberIds.includes(memberId)) ?? []
      await requireUsers(context, companyId, joining)
      const keys = (await liveKeysByProject(context.runtime.engines.database, companyId, nowOf(context))).get(projectId)
      if (archived && keys !== undefined) throw hasKeys(projectId, keys)
      const changes = {
        ...(name != null && { name }),
        ...(members != null && { memberIds: members }),
        ...(limits != null && { limits: limitsFrom(limits) }),
        ...(archived != null && { archived }),
      }
      const by = requireUser(context).userId
      const command = { type: 'UpdateProject', projectId, changes, by, at: nowOf(context) } as const
      const stream = streamName('project', projectId)
      return shownProject(await change(context, projectsModel, projectDecider, stream, command), keys ?? 0)
    },
  },
}

function shownProject(row: ProjectRow, keys: number): Project {
  const { projectId: id, name, memberIds: members, limits, archived, createdAt } = row
  return { id, name, members, limits, budget: shownAmount(budgetIn(row)), archived, createdAt, keys }
}

async function requireRoom(context: GraphqlContext, companyId: string): Promise<void> {
  if ((await projectCountOf(context.runtime.engines.database, companyId)) < PROJECTS_MAX) return
  throw new Refusal('CONFLICT', `a company has at most ${PROJECTS_MAX} projects, archived ones included`)
}

async function requireUsers(context: GraphqlContext, companyId: string, memberIds: readonly string[]): Promise<void> {
  // Before the query, because the list may be as long as a request.
  if (memberIds.length > PROJECT_MEMBERS_MAX) {
    throw apiError('BAD_USER_INPUT', `a project has at most ${PROJECT_MEMBERS_MAX} members, not ${memberIds.length}`)
  }
  for (const memberId of memberIds) requireId(memberId, 'user')
  const users = await usersAmong(context.runtime.engines.database, companyId, memberIds)
  const stranger = memberIds.find((memberId) => !users.has(memberId))
  if (stranger !== undefined) throw notFound('user', stranger)
}

function hasKeys(projectId: string, count: number): Refusal {
  const keys = count === 1 ? '1 key that can be used' : `${count} keys that can be used`
  return new Refusal('CONFLICT', `project ${projectId} has ${keys}: revoke them or take them out of the project first`)
}
