const PLAIN = /^[\w:.+/-]+$/
const TO_ESCAPE = /["\\]/g

/** A PostgreSQL array of the values as text, which the array's type then reads; objects and lists become JSON. */
export function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (PLAIN.test(text) && text.toUpperCase() !== 'NULL') return text
  return `"${text.replace(TO_ESCAPE, '\\$&')}"`
}
