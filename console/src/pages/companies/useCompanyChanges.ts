import { useMutation, useQueryClient } from '@tanstack/react-query'
import { execute } from '../../api/execute.ts'
import {
  AdjustCreditsDocument,
  type AdjustCreditsMutationVariables,
  CapCompanyDocument,
  ResumeCompanyDocument,
  SuspendCompanyDocument,
} from '../../graphql/generated.ts'
import { PLATFORM } from '../../shell/platform.ts'

/** The mutations of super admins on companies. Each refetches the list and the figures. */
export function useCompanyChanges() {
  const queries = useQueryClient()
  const onSuccess = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [PLATFORM] }),
      queries.invalidateQueries({ queryKey: ['company'] }),
    ])
  const adjust = useMutation({
    mutationFn: (adjustment: AdjustCreditsMutationVariables) => execute(AdjustCreditsDocument, adjustment),
    onSuccess,
  })
  const cap = useMutation({
    mutationFn: (variables: { readonly companyId: string; readonly hardCap: boolean }) =>
      execute(CapCompanyDocument, variables),
    onSuccess,
  })
  const suspend = useMutation({
    mutationFn: (variables: { readonly id: string; readonly reason: string }) =>
      execute(SuspendCompanyDocument, variables),
    onSuccess,
  })
  const resume = useMutation({
    mutationFn: (variables: { readonly id: string }) => execute(ResumeCompanyDocument, variables),
    onSuccess,
  })
  return { adjust, cap, suspend, resume }
}
