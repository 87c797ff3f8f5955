export const REDACTED = '***'

/**
 * Strings that are keys by their prefix or position: our API keys and those of model providers and the payment
 * provider, even if partly masked; JSON web tokens; what follows "Bearer"; user and password in a URL. Every repetition
 * ends its alternative or is bounded, so that the search is linear.
 */
const KEYS =
  /\b(?:sk|pk|rk|gsk|xai|hf|tg|whsec)[-_][\w*-][\w*.-]{4,}|\bAIza[\w-]{16,}|\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}|\bBearer[ \t]+[^\s"'\\,;]+|(?<=:\/\/)[^\s/@]{1,256}(?=@)/gi
/** Characters of base64, of its variant for URLs, and of hexadecimal numbers. */
const LONG_RUN = /[\w+/=-]{32,}/g
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const PLAIN_RUN = /^[a-z\d]+$/i

/** Redacts keys that are recognised by their prefix or position. */
export function withoutKeys(text: string): string {
  return text.replace(KEYS, REDACTED)
}

/** Like withoutKeys, but also redacts long random-looking strings. UUIDs stay, because they are ids of calls. */
export function withoutKeyLikeTexts(text: string): string {
  return withoutKeys(text).replace(LONG_RUN, (run) => (isToken(run) ? REDACTED : run))
}

/** Long identifiers and paths rarely mix capitals, small letters and digits; random strings of this length do. */
function isToken(run: string): boolean {
  if (!/\d/.test(run) || UUID.test(run)) return false
  if (PLAIN_RUN.test(run)) return true
  return /[a-z]/.test(run) && /[A-Z]/.test(run)
}
