import { z } from 'zod'
import { confirmIntent, payLater } from '../billing/savedMethods.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord, requireReferenced } from '../state/recordLookup.ts'
import type { PaymentIntent, PaymentMethod } from '../state/records.ts'
import type { Form } from '../wire/formBody.ts'
import { listPage } from '../wire/listPage.ts'
import {
  address,
  amount,
  changedMetadata,
  currency,
  flag,
  metadata,
  optionalText,
  readParams,
  text,
} from '../wire/params.ts'
import { invalidParam, invalidState } from '../wire/paymentApiError.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const creation = z.strictObject({
  amount: amount.refine((value) => value >= 1, 'must be at least 1'),
  currency,
  customer: text,
  payment_method: text,
  payment_method_types: z.array(z.literal('card', 'must be card')).optional(),
  confirm: flag.refine(Boolean, 'must be true: the sandbox creates confirmed payments only'),
  off_session: flag.refine(Boolean, 'must be true: checkout pages take the payments of persons who are present'),
  description: optionalText,
  metadata: metadata.optional(),
})
const confirmation = z.strictObject({ payment_method: text, return_url: address.optional() })
const cancellation = z.strictObject({
  cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
})

export const paymentIntentOperations: readonly PaymentOperation[] = [
  { method: 'POST', path: '/v1/payment_intents', handle: createIntent },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    handle: (context, _, id) => requireRecord(context, 'paymentIntent', id),
  },
  {
    method: 'GET',
    path: '/v1/payment_intents',
    handle: ({ state }, form) =>
      listPage(
        form,
        { customer: text.optional() },
        '/v1/payment_intents',
        state.all('paymentIntent'),
        (intent, { customer }) => customer === undefined || intent.customer === customer,
      ),
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    handle: (context, form, id) => {
      const { payment_method, return_url = null } = readParams(confirmation, form)
      const intent = requireOpen(requireRecord(context, 'paymentIntent', id), 'confirm')
      return confirmIntent(context, intent, methodOf(context, payment_method, String(intent.customer)), return_url)
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    handle: (context, form, id) => {
      const { cancellation_reason = null } = readParams(cancellation, form)
      const intent = requireOpen(requireRecord(context, 'paymentIntent', id), 'cancel')
      const canceled = {
        status: 'canceled',
        canceled_at: context.now(),
        cancellation_reason,
        next_action: null,
      } as const
      return context.state.put('paymentIntent', { ...intent, ...canceled })
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    handle: (context, _, id) => requireRecord(context, 'paymentMethod', id),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    handle: (context, _, id) => {
      const method = requireRecord(context, 'paymentMethod', id)
      if (method.customer === null) {
        throw invalidParam(
          'payment_method',
          `The PaymentMethod ${id} is not attached to a Customer, so it cannot be detached.`,
        )
      }
      return context.state.put('paymentMethod', { ...method, customer: null })
    },
  },
]

function createIntent(context: ProviderContext, form: Form) {
  const { amount, currency, customer, payment_method, description, metadata } = readParams(creation, form)
  requireReferenced(context, 'customer', customer, 'customer')
  return payLater(context, methodOf(context, payment_method, customer), {
    ...{ amount, currency, customer, description: description || null },
    metadata: changedMetadata({}, metadata),
  })
}

function methodOf(context: ProviderContext, id: string, customer: string): PaymentMethod {
  const method = requireReferenced(context, 'paymentMethod', id, 'payment_method')
  if (method.customer === customer) return method
  throw invalidParam('payment_method', `The PaymentMethod ${id} does not belong to the Customer ${customer}.`)
}

function requireOpen(intent: PaymentIntent, action: 'confirm' | 'cancel'): PaymentIntent {
  if (intent.status !== 'succeeded' && intent.status !== 'canceled') return intent
  const message = `You cannot ${action} this PaymentIntent because it has a status of ${intent.status}.`
  throw invalidState(message, 'payment_intent_unexpected_state')
}
