import { z } from 'zod'
import type { Form, FormValue } from './formBody.ts'
import { invalidParam } from './paymentApiError.ts'

const METADATA_KEYS_MAX = 50

// In a form every value is text. These schemas parse the types that the provider distinguishes.

export const text = z.string().min(1, 'must not be empty').max(5_000, 'is longer than 5000 characters')
/** An empty text removes the stored one. */
export const optionalText = z.string().max(5_000, 'is longer than 5000 characters').nullable().optional()
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be an integer')
  .transform(Number)
export const amount = integer.refine((value) => value >= 0 && value <= 99_999_999, 'must be between 0 and 99999999')
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'must be a three-letter currency code')
  .transform((code) => code.toLowerCase())
export const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none'])
export const address = z
  .string()
  .max(5_000)
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), 'must be a valid URL')

/** Changes to metadata: an empty value removes its key, an empty text in place of the group removes all keys. */
export const metadata = z.preprocess(
  (value) => (Array.isArray(value) ? { ...value } : value),
  z.union([
    z.literal(''),
    z
      .record(z.string().max(40, 'has a key of more than 40 characters'), z.string().max(500))
      .refine((pairs) => Object.keys(pairs).length <= METADATA_KEYS_MAX, `has more than ${METADATA_KEYS_MAX} keys`),
  ]),
)

export type Metadata = Readonly<Record<string, string>>

export function changedMetadata(before: Metadata, change: Metadata | '' | undefined): Metadata {
  if (change === undefined) return before
  if (change === '') return {}
  const after = Object.entries({ ...before, ...change }).filter(([, value]) => value !== '')
  if (after.length > METADATA_KEYS_MAX)
    throw invalidParam('metadata', `metadata has more than ${METADATA_KEYS_MAX} keys`)
  return Object.fromEntries(after)
}

/** The parameters that were given, with empty texts as null, which removes the stored value. */
export function emptiedToNull<Given extends object>(given: Given): Given {
  const present = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present.map(([field, value]) => [field, value === '' ? null : value])) as Given
}

/** Parses parameters by their schema, or throws the provider's error for the first invalid one. */
export function readParams<Schema extends z.ZodType>(schema: Schema, form: Form): z.infer<Schema> {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (!issue) throw invalidParam('', 'The request cannot be read')
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? ''])
    throw invalidParam(param, `Received unknown parameter: ${param}`, 'parameter_unknown')
  }
  const param = paramName(issue.path)
  const given = valueAt(form, issue.path)
  if (given === undefined) throw invalidParam(param, `Missing required param: ${param}.`, 'parameter_missing')
  if (issue.message === 'must be an integer') {
    throw invalidParam(param, `Invalid integer: ${String(given).slice(0, 100)}`, 'parameter_invalid_integer')
  }
  throw invalidParam(param, `Invalid ${param}: ${issue.message}`, given === '' ? 'parameter_invalid_empty' : undefined)
}

function paramName(path: readonly PropertyKey[]): string {
  return path.map((step, depth) => (depth === 0 ? String(step) : `[${String(step)}]`)).join('')
}

function valueAt(form: Form, path: readonly PropertyKey[]): FormValue | undefined {
  let at: FormValue | undefined = form
  for (const step of path) {
    if (at === undefined || typeof at === 'string') return undefined
    at = (at as Record<PropertyKey, FormValue>)[step]
  }
  return at
}
