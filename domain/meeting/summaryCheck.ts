/**
 * The words that a summary may use besides those of its facts. None of them is a number or a name, praises, denies, or
 * reports that something was said or decided, because no fact does. Every other word must occur in the facts.
 */
const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `a about after an and are as at based be been before began begin being between both by candidate candidate's concerned
  concerning connected current currently date dated day duration during each end ended ending ends experience for from had
  has have held her hers him his hour hours in include included includes including is it its itself job job's language
  languages last lasted lasting lasts linked list listed lists located location long match meeting meeting's minute minutes
  name named of on or overall participant participants participated person place position posting profile regarding related
  required requirement requirements requires role room room's score scored scores second seconds seniority she he they their
  them skill skills speak speaks spoken start started starting starts stated states summary take takes taking talent
  talent's that the then there these this those through throughout time title to together took total until up utc was were
  when where which while who whom whose with within year years`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

export const SUMMARY_CHARS_MAX = 2_000

/** Letters and digits, and characters inside a word, time or number: O'Brien, 10:45, 2026-03-01, C++. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[.,:'\-/+#&][\p{L}\p{M}\p{N}]+)*[+#]*/gu
const APOSTROPHES = /[’ʼ＇`´]/g

type Word = { readonly text: string; readonly from: number; readonly to: number }

/**
 * The claims of a summary that its facts do not support: every sequence of words that are not ordinary must occur in one
 * of the lines, so names and numbers can come from the facts only. An empty list means that the summary is accepted.
 */
export function unsupportedWords(summary: string, lines: readonly string[]): string[] {
  const facts = lines.map((line) => wordsOf(line).map(({ text }) => text))
  return rowsOf(summary)
    .filter((row) => !facts.some((fact) => contains(fact, row)))
    .map((row) => row.join(' '))
}

/** The reasons to refuse a summary. */
export function summaryFaults(summary: string, lines: readonly string[]): string[] {
  if (summary.trim() === '') return ['It is empty.']
  if (summary.length > SUMMARY_CHARS_MAX) return [`It is longer than ${SUMMARY_CHARS_MAX} characters.`]
  return unsupportedWords(summary, lines).map((words) => `The facts do not say ${JSON.stringify(words)}.`)
}

/** Sequences of words that are not ordinary, separated by blanks only. */
function rowsOf(summary: string): string[][] {
  const plain = plainText(summary)
  const rows: string[][] = []
  let end = -1
  for (const { text, from, to } of wordsIn(plain)) {
    if (ORDINARY_WORDS.has(text)) {
      end = -1
      continue
    }
    const row = rows.at(-1)
    if (row && end !== -1 && plain.slice(end, from).trim() === '') row.push(text)
    else rows.push([text])
    end = to
  }
  return rows
}

function contains(fact: readonly string[], row: readonly string[]): boolean {
  return fact.some((_, at) => row.every((word, n) => isSame(fact[at + n], word)))
}

/** A name may be in the possessive. */
function isSame(fact: string | undefined, word: string): boolean {
  return fact === word || (fact !== undefined && word === `${fact}'s`)
}

function wordsOf(text: string): Word[] {
  return wordsIn(plainText(text))
}

function wordsIn(plain: string): Word[] {
  return [...plain.matchAll(WORD)].map(({ 0: text, index }) => ({ text, from: index, to: index + text.length }))
}

/** One spelling for characters that look the same (① is 1), in lowercase. */
function plainText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(APOSTROPHES, "'")
}
