import { answerConfirmation } from '../../../../services/sandbox/paymentProvider/billing/savedMethods.ts'
import { newIntent } from '../../../../services/sandbox/paymentProvider/billing/takePayment.ts'
import type { ProviderContext } from '../../../../services/sandbox/paymentProvider/providerContext.ts'
import type { PaymentIntent } from '../../../../services/sandbox/paymentProvider/state/records.ts'
import type { Form } from '../../../../services/sandbox/paymentProvider/wire/formBody.ts'
import type { PaymentOperation } from '../../../../services/sandbox/paymentProvider/wire/paymentOperation.ts'
import type { Random } from '../../scheduler/random.ts'

const SLOW_SHARE = 0.15
const SLOW_MS_MAX = 20_000
const AGREES_SHARE = 0.7
/** The real provider has this state, the sandbox does not. */
const PROCESSING = 'processing' as PaymentIntent['status']

type Act = (work: (context: ProviderContext) => unknown) => unknown

/** Some payments by a saved card are under way for a while before their bank says yes or no. */
export function withSlowBank(operation: PaymentOperation, random: Random, act: Act): PaymentOperation {
  if (operation.method !== 'POST' || operation.path !== '/v1/payment_intents') return operation
  return {
    ...operation,
    handle: (context, form, id) => {
      if (!random.chance(SLOW_SHARE)) return operation.handle(context, form, id)
      const intent = underWay(context, form)
      setTimeout(
        () =>
          act((later) => {
            const now = later.state.get('paymentIntent', intent.id)
            if (now?.status === PROCESSING) answerConfirmation(later, now, random.chance(AGREES_SHARE))
          }),
        random.fraction() * SLOW_MS_MAX,
      )
      return intent
    },
  }
}

function underWay(context: ProviderContext, { amount, currency, customer, payment_method, metadata }: Form) {
  const about = { amount: Number(amount), currency: String(currency), customer: String(customer) }
  const facts = { ...about, email: null, description: null, invoice: null }
  const intent = newIntent(context, { ...facts, metadata: { ...(metadata as Record<string, string>) } }, PROCESSING)
  return context.state.put('paymentIntent', { ...intent, payment_method: String(payment_method) })
}
