/** Fields of the provider's objects that hold personal data. No decision of ours needs them. */
const PERSONAL = new Set([
  'address',
  'billing_details',
  'card',
  'customer_address',
  'customer_details',
  'customer_email',
  'customer_name',
  'customer_phone',
  'customer_shipping',
  'description',
  'email',
  'name',
  'payment_method_details',
  'phone',
  'receipt_email',
  'shipping',
  'shipping_details',
])

/** The same event with these fields set to null, at any depth. */
export function withoutPerson(body: string): string {
  return JSON.stringify(JSON.parse(body, (name, value: unknown) => (PERSONAL.has(name) ? null : value)))
}
