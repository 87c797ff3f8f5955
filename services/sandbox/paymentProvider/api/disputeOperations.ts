import { requireRecord } from '../state/recordLookup.ts'
import { listPage } from '../wire/listPage.ts'
import { text } from '../wire/params.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

export const disputeOperations: readonly PaymentOperation[] = [
  { method: 'GET', path: '/v1/disputes/:id', handle: (context, _, id) => requireRecord(context, 'dispute', id) },
  {
    method: 'GET',
    path: '/v1/disputes',
    handle: ({ state }, form) =>
      listPage(
        form,
        { charge: text.optional(), payment_intent: text.optional() },
        '/v1/disputes',
        state.all('dispute'),
        (dispute, { charge, payment_intent }) =>
          (charge === undefined || dispute.charge === charge) &&
          (payment_intent === undefined || dispute.payment_intent === payment_intent),
      ),
  },
]
