import { KeysDocument } from '../graphql/generated.ts'
import { keyNames } from './keyNames.ts'
import { useCompanyQuery, useViewer } from './viewer.ts'

/** The names of the keys that the viewer may see, by id. Empty for roles that see none. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { may } = useViewer()
  const { data } = useCompanyQuery(KeysDocument, {}, { enabled: may('readKeys') })
  return keyNames(data?.apiKeys ?? [])
}
