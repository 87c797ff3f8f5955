import { useMutation } from '@tanstack/react-query'
import { execute } from '../../api/execute.ts'
import { useChange } from '../../api/useChange.ts'
import {
  CancelSubscriptionDocument,
  ChangePlanDocument,
  CreateCheckoutDocument,
  ResumeSubscriptionDocument,
} from '../../graphql/generated.ts'

type PackCheckout = { readonly packId: string; readonly savePaymentMethod: boolean }

/** Opens the payment provider's page. */
export function useCheckout() {
  return useMutation({
    mutationFn: async (input: PackCheckout | { readonly planId: string }) =>
      (await execute(CreateCheckoutDocument, { input })).createCheckout.url,
    onSuccess: (url) => window.location.assign(url),
  })
}

/** The mutations of a subscription. */
export function useSubscriptionChanges() {
  return {
    changePlan: useChange(ChangePlanDocument, 'company'),
    cancel: useChange(CancelSubscriptionDocument, 'company'),
    resume: useChange(ResumeSubscriptionDocument, 'company'),
  }
}
