import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { execute } from '../api/execute.ts'
import type { SessionUser } from '../api/session.ts'
import type { TypedDocumentString } from '../graphql/generated.ts'
import { type Ability, may } from './access.ts'

/** The signed-in user and the company they view. */
export type Viewer = {
  readonly user: SessionUser
  /** The company that a super admin views; null for the user's own. */
  readonly asCompany: string | null
}

export const ViewerContext = createContext<Viewer | null>(null)

export function useViewer(): Viewer & { readonly may: (ability: Ability) => boolean } {
  const viewer = useContext(ViewerContext)
  if (!viewer) throw new Error('the page is outside of the shell')
  return { ...viewer, may: (ability) => may(viewer.user, viewer.asCompany, ability) }
}

type AsCompany = { readonly asCompany?: string | null | undefined }

/** A query of the viewed company's data. */
export function companyQuery<Result, Variables extends AsCompany>(
  { asCompany }: Pick<Viewer, 'asCompany'>,
  document: TypedDocumentString<Result, Variables>,
  variables: Omit<Variables, 'asCompany'>,
) {
  const all = { ...variables, asCompany } as Variables
  return queryOptions({
    queryKey: ['company', asCompany, document.toString(), variables] as const,
    queryFn: () => execute(document, all),
  })
}

type Options = { readonly enabled?: boolean; readonly refetchInterval?: number; readonly staleTime?: number }

export function useCompanyQuery<Result, Variables extends AsCompany>(
  document: TypedDocumentString<Result, Variables>,
  variables: Omit<Variables, 'asCompany'>,
  options: Options = {},
) {
  return useQuery({ ...companyQuery(useViewer(), document, variables), ...options })
}
