import { Refusal } from '../../../../domain/decider.ts'
import type { ProjectRow } from '../../../../projections/projects/projection.ts'
import { projectOf } from '../../../../projections/projects/queries.ts'
import { notFound } from '../apiError.ts'
import type { GraphqlContext } from '../context.ts'
import { requireId } from '../ids.ts'
import { requireCompany } from './access.ts'

/** A project of the caller's company; NOT_FOUND for any other one. */
export async function requireProject(context: GraphqlContext, id: string): Promise<ProjectRow> {
  const companyId = requireCompany(context)
  const project = await projectOf(context.runtime.engines.database, companyId, requireId(id, 'project'))
  if (!project) throw notFound('project', id)
  return project
}

/** A project that keys can be put into. */
export async function requireOpenProject(context: GraphqlContext, id: string): Promise<ProjectRow> {
  const project = await requireProject(context, id)
  if (!project.archived) return project
  throw new Refusal('CONFLICT', `project ${id} is archived: it takes no keys until archived is set to false`)
}
