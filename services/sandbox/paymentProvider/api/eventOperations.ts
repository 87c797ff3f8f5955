import { z } from 'zod'
import { requireRecord } from '../state/recordLookup.ts'
import { listPage } from '../wire/listPage.ts'
import { text } from '../wire/params.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

export const eventOperations: readonly PaymentOperation[] = [
  { method: 'GET', path: '/v1/events/:id', handle: (context, _, id) => requireRecord(context, 'event', id) },
  {
    method: 'GET',
    path: '/v1/events',
    handle: ({ state }, form) =>
      listPage(
        form,
        { type: text.optional(), types: z.array(text).max(20, 'has more than 20 types').optional() },
        '/v1/events',
        state.all('event'),
        (event, { type, types }) =>
          (type === undefined || matches(event.type, type)) && (types === undefined || types.includes(event.type)),
      ),
  },
]

/** `invoice.*` matches every type with that prefix. */
function matches(type: string, pattern: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}
