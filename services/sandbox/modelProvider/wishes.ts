/** What a request may ask of the sandbox in the text of its last message. */
export type Wishes = {
  /** The wait before a whole answer, or before each event of a streamed one. */
  readonly delayMs: number
  /** Words that follow the usual text. */
  readonly words: number
}

const DELAY_MS_MAX = 10_000
const WORDS_MAX = 50_000
/** Answers of more words are written on a thread, unless they come slowly. */
const SHORT_ANSWER_WORDS_MAX = 2_000
const NO_WISHES: Wishes = { delayMs: 0, words: 0 }

/** `sandbox:delay=250` makes an answer slow, `sandbox:words=2000` long. */
export function wishesIn(text: string): Wishes {
  if (!text.includes('sandbox:')) return NO_WISHES
  const wished = (name: string, max: number) =>
    Math.min(max, Number(new RegExp(`\\bsandbox:${name}=(\\d{1,6})`).exec(text)?.[1] ?? 0))
  return { delayMs: wished('delay', DELAY_MS_MAX), words: wished('words', WORDS_MAX) }
}

export function isLongWish(text: string): boolean {
  const { delayMs, words } = wishesIn(text)
  return delayMs === 0 && words > SHORT_ANSWER_WORDS_MAX
}
