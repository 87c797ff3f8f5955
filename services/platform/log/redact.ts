/** By the end of a field's name, whatever its spelling: passwordHash, STRIPE_SECRET_KEY, x-api-key, set-cookie. */
const SECRET_NAME =
  /(?:authorization|cookie|secret|secrets?key|apikey|privatekey|rawkey|token|password|passwordhash|stripesignature)$/
/** What a secret looks like that stands in a text: our keys, the payment provider's, tokens, a password in an address. */
const SECRET_TEXT =
  /\b(?:tg_|[rs]k_(?:live|test)_|whsec_)[\w-]{8,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*|(?<=\bBearer )[^\s"\\]+|(?<=:\/\/[^\s:@/"\\]*:)[^\s@/"\\]+(?=@)/g
/** Every such text has one of these, and almost no line does: looking for them costs a tenth. */
const SECRET_MARKS = ['tg_', 'k_live_', 'k_test_', 'whsec_', 'eyJ', 'Bearer ', '@']
const NAMES_REMEMBERED_MAX = 1_000
const isSecretByName = new Map<string, boolean>()
const DEPTH_MAX = 5

/**
 * The object with every field of a secret's name blotted out, at any depth. Written by hand because pino's own redaction
 * by wildcard costs five times as much as the whole line, on every call.
 */
export function withoutSecrets(object: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let copy: Record<string, unknown> | null = null
  for (const name in object) {
    const value = object[name]
    const shown = isSecretName(name) && value != null ? '***' : nested(value, depth)
    if (shown === value) continue
    copy ??= { ...object }
    copy[name] = shown
  }
  return copy ?? object
}

/** A line that is written already, without what looks like a secret wherever it stands: in a message, in an error. */
export function withoutSecretTexts(line: string): string {
  return SECRET_MARKS.some((mark) => line.includes(mark)) ? line.replace(SECRET_TEXT, '***') : line
}

/** The names are few and always the same, so each is looked at once. */
function isSecretName(name: string): boolean {
  const known = isSecretByName.get(name)
  if (known !== undefined) return known
  const isSecret = SECRET_NAME.test(name.toLowerCase().replace(/[^a-z]/g, ''))
  if (isSecretByName.size >= NAMES_REMEMBERED_MAX) isSecretByName.clear()
  isSecretByName.set(name, isSecret)
  return isSecret
}

function nested(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || depth === DEPTH_MAX) return value
  if (Array.isArray(value)) return value.map((item) => nested(item, depth + 1))
  return withoutSecrets(value as Record<string, unknown>, depth + 1)
}
