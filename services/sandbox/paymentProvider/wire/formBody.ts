import type { IncomingMessage } from 'node:http'
import type { Contents } from '../../../../platform/http/body/bodyReaders.ts'
import { jsonExcess } from '../../../../platform/http/body/jsonScan.ts'
import { parseJson } from '../../../../platform/http/body/parseJson.ts'
import { PaymentApiError } from './paymentApiError.ts'

export const FORM_CONTENTS: Contents = { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } }
export const PAYMENT_BODY_BYTES_MAX = 256 * 1024
const PAYMENT_FORM_FIELDS_MAX = 1_000
const PAYMENT_FORM_DEPTH_MAX = 8

export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = Record<string, FormValue>

type Branch = { [name: string]: string | Branch }

/** Decodes nested form fields, as the provider's clients encode them: `a[b][0][c]=1` is `{a: {b: [{c: '1'}]}}`. */
export function decodeForm(text: string): Form {
  const root = branch()
  let fields = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++fields > PAYMENT_FORM_FIELDS_MAX) throw unreadable(`more than ${PAYMENT_FORM_FIELDS_MAX} fields`)
    place(root, pathOf(name), value, name)
  }
  return withLists(root) as Form
}

/** The body of a request to the sandbox's own pages and controls: a form, or JSON. */
export function formOf({ headers }: IncomingMessage, body: Buffer): Form {
  if (!headers['content-type']?.startsWith('application/json')) return decodeForm(body.toString())
  if (jsonExcess(body, { valuesMax: PAYMENT_FORM_FIELDS_MAX }))
    throw unreadable('the body has too many or too deep values')
  const value = parseJson(body)
  if (value === undefined) throw unreadable('the body is not JSON')
  return formOfJson(value)
}

/** The form equivalent of a JSON body: every leaf becomes text. */
function formOfJson(value: unknown): Form {
  const leaf = (part: unknown): FormValue => {
    if (Array.isArray(part)) return part.map(leaf)
    if (typeof part === 'object' && part !== null) {
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, leaf(inner)]))
    }
    return part === null ? '' : String(part)
  }
  const form = leaf(value)
  if (typeof form === 'string' || Array.isArray(form)) throw unreadable('the body is not an object')
  return form
}

function place(root: Branch, path: readonly string[], value: string, name: string): void {
  let at = root
  for (const [depth, step] of path.entries()) {
    // `a[]` appends to a list.
    const key = step === '' ? String(Object.keys(at).length) : step
    if (depth === path.length - 1) {
      at[key] = value
      return
    }
    const next = at[key] ?? branch()
    if (typeof next === 'string') throw unreadable(`${name} is both a value and a group`)
    at[key] = next
    at = next
  }
}

function pathOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (!match?.[1]) throw unreadable(`${name.slice(0, 100)} is not the name of a field`)
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, step]) => step ?? '')
  if (inner.length > PAYMENT_FORM_DEPTH_MAX) throw unreadable(`${name.slice(0, 100)} is nested too deeply`)
  return [match[1], ...inner]
}

/** Has no prototype, so that a field named `__proto__` is an ordinary field. */
function branch(): Branch {
  return Object.create(null) as Branch
}

function withLists(part: string | Branch): FormValue {
  if (typeof part === 'string') return part
  const names = Object.keys(part)
  const values = Object.values(part).map(withLists)
  if (names.length > 0 && names.every((name, place) => name === String(place))) return values
  const group = Object.create(null) as { [name: string]: FormValue }
  for (const [place, name] of names.entries()) group[name] = values[place] ?? ''
  return group
}

function unreadable(why: string): PaymentApiError {
  return new PaymentApiError({
    status: 400,
    type: 'invalid_request_error',
    message: `The request cannot be read: ${why}.`,
  })
}
