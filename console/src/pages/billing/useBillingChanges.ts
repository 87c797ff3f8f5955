import { useMutation, useQueryClient } from '@tanstack/react-query'
import { execute } from '../../api/execute.ts'
import {
  CancelSubscriptionDocument,
  ChangePlanDocument,
  CreateCheckoutDocument,
  ResumeSubscriptionDocument,
  SetHardCapDocument,
  SetNoticeDocument,
} from '../../graphql/generated.ts'

/** The mutations of the billing page. Each refetches the lists; a checkout opens the payment provider's page. */
export function useBillingChanges() {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['company'] })
  const checkout = useMutation({
    mutationFn: async (input: { readonly packId: string } | { readonly planId: string }) =>
      (await execute(CreateCheckoutDocument, { input })).createCheckout.url,
    onSuccess: (url) => window.location.assign(url),
  })
  const changePlan = useMutation({
    mutationFn: (planId: string) => execute(ChangePlanDocument, { planId }),
    onSuccess,
  })
  const cancel = useMutation({ mutationFn: () => execute(CancelSubscriptionDocument, {}), onSuccess })
  const resume = useMutation({ mutationFn: () => execute(ResumeSubscriptionDocument, {}), onSuccess })
  const setHardCap = useMutation({
    mutationFn: (variables: { readonly companyId: string; readonly hardCap: boolean }) =>
      execute(SetHardCapDocument, variables),
    onSuccess,
  })
  /** Undefined: the default limit. null: no notice. */
  const setNotice = useMutation({
    mutationFn: (variables: { readonly lowBalanceCredits?: number | null }) => execute(SetNoticeDocument, variables),
    onSuccess,
  })
  return { checkout, changePlan, cancel, resume, setHardCap, setNotice }
}
