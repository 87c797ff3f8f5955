import { KeyProjectsDocument } from '../graphql/generated.ts'
import { useCompanyQuery } from './viewer.ts'

/** The names of the projects that the viewer may see, by id, archived ones included. */
export function useProjectNames(): ReadonlyMap<string, string> {
  const { data } = useCompanyQuery(KeyProjectsDocument, {})
  return new Map(data?.projects.map(({ id, name }) => [id, name]))
}
