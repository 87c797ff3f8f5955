import { utcDayStart } from '../api/now.ts'
import { CallNamesDocument } from '../graphql/generated.ts'
import { useCompanyQuery } from './viewer.ts'

export const CALL_NAMES_DAYS = 90

/** How the API names calls without a label, which cannot be filtered by. */
const NO_LABEL = '(none)'

/** The models and labels of the calls of the last months, by name; undefined until they are read. */
export function useCallNames() {
  const { data } = useCompanyQuery(CallNamesDocument, { from: utcDayStart(CALL_NAMES_DAYS) }, { staleTime: 60_000 })
  if (!data) return undefined
  return {
    models: data.models.nodes.map(({ group }) => group).toSorted(),
    labels: data.labels.nodes
      .map(({ group }) => group)
      .filter((label) => label !== NO_LABEL)
      .toSorted(),
  }
}
