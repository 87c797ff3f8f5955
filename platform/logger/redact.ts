/** Matches the end of a field's name in any spelling: passwordHash, STRIPE_SECRET_KEY, x-api-key, set-cookie. */
const SECRET_NAME =
  /(?:authorization|cookie|secret|secrets?key|apikey|privatekey|rawkey|token|password|passwordhash|stripesignature)$/
/**
 * Matches secrets in a text: our keys, keys of model providers and of the payment provider, tokens, passwords in URLs.
 * A token also matches without its second and third part: if they were required, each possible beginning in a long text
 * would cause a search through all of it.
 */
const SECRET_TEXT =
  /\b(?:tg_|sk-|[rs]k_(?:live|test)_|whsec_)[\w-]{8,}|\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}|(?<=\bBearer )[^\s"\\]+|(?<=:\/\/[^\s:@/"\\]{0,1000}:)[^\s@/"\\]+(?=@)/g
/** Every secret contains one of these marks, and almost no line does: this check costs a tenth of the pattern. */
const SECRET_MARKS = ['tg_', 'sk-', 'k_live_', 'k_test_', 'whsec_', 'eyJ', 'Bearer ', '@']
const NAMES_REMEMBERED_MAX = 1_000
const isSecretByName = new Map<string, boolean>()
const DEPTH_MAX = 5

/**
 * Redacts every field whose name is that of a secret, at any depth. Pino's own redaction by wildcard would cost five times as
 * much as the whole line, on every call.
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

/** Redacts secrets anywhere in a serialised line, such as in a message or an error. */
export function withoutSecretTexts(line: string): string {
  return SECRET_MARKS.some((mark) => line.includes(mark)) ? line.replace(SECRET_TEXT, '***') : line
}

/** Field names are few and recur, so each result is cached. */
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
