import type { ProviderContext } from '../providerContext.ts'
import type { Wire, WireList } from '../state/records.ts'
import type { Form } from './formBody.ts'
import type { PaymentApiError } from './paymentApiError.ts'

/** What a route of the payment API or a control of the sandbox does, within a transaction. */
export type PaymentOperation = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `:id` stands for one segment. */
  readonly path: string
  /** An error that is thrown rolls the transaction back; one that is returned commits it. */
  handle(context: ProviderContext, params: Form, id: string): Wire | WireList<unknown> | PaymentApiError
}
