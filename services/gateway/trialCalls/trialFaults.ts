/** Characters of a provider's own words that are shown. */
const WORDS_MAX = 500

/** What a provider's status means, and where to look. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'refused the request. The model may not serve this API',
  401: 'refused its key. Check the variable that apiKeyEnv in PROVIDERS_FILE names',
  402: 'wants to be paid. Check the account with it',
  403: 'refused its key. Check what the key may do',
  404: 'does not know the address or the model. Check baseUrl and model in PROVIDERS_FILE',
  408: 'took too long for itself. Try again',
  422: 'refused the request. The model may not serve this API',
  429: 'limits our calls. Try again later, or ask it for a higher limit',
}

/** An answer other than 200, in words for the operator. `text`: the provider's own, without secrets. */
export function statusFault(provider: string, status: number, text: string): string {
  const known =
    MEANINGS[status] ?? (status >= 500 ? 'has a fault of its own. Try again later' : 'did not answer with 200')
  const words = wordsOf(text)
  return `Provider ${provider} answered ${status}: it ${known}.${words === '' ? '' : ` It says: ${words}`}`
}

/** The message of an error answer, if it has one where providers put it; otherwise the text. */
function wordsOf(text: string): string {
  const words = (messageIn(text) ?? text).replace(/\s+/g, ' ').trim()
  return words.length <= WORDS_MAX ? words : `${words.slice(0, WORDS_MAX)}…`.toWellFormed()
}

function messageIn(text: string): string | null {
  try {
    const { error, message } = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown }
    const found = (typeof error === 'object' ? error?.message : error) ?? message
    return typeof found === 'string' ? found : null
  } catch {
    return null
  }
}
