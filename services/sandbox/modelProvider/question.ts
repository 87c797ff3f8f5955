import { fillSchema } from './extraction/fillSchema.ts'
import type { JsonSchema } from './extraction/schemaNode.ts'
import { type Generated, generated, introduction, readWords } from './generated.ts'
import { tokensOf } from './inputTexts.ts'
import { type Wishes, wishesIn } from './wishes.ts'

/** A request for an answer, whatever its API. */
export type Question = {
  readonly turns: readonly { readonly role: string; readonly text: string }[]
  /** The JSON schema that the answer must fit; null if it is to be a text. */
  readonly schema: JsonSchema | null
  /** The tool that must be called. */
  readonly tool: Tool | null
  readonly tokensMax: number
}

export type Tool = { readonly name: string; readonly schema: JsonSchema }

/** The text of an answer, or the arguments of the tool that it calls. */
export type Answer = Generated & { readonly tool: string | null } & Pick<Wishes, 'delayMs'>

const TOKENS_PER_TURN = 4

/** The answer follows plain rules, so the same question always gets the same answer. */
export function answerTo(question: Question): Answer {
  const { schema, tool, tokensMax } = question
  const wishes = wishesIn(lastUserText(question.turns))
  const form = tool?.schema ?? schema
  const text = form
    ? JSON.stringify(fillSchema(form, documentIn(question), shortened(lastUserText(question.turns))))
    : textAnswer(question, wishes)
  const pieces = text.split(/(?<=[ ,])/)
  // The arguments of a tool are of no use if they are cut.
  const answer = generated(pieces, tool ? Number.POSITIVE_INFINITY : tokensMax, tokensInOf(question))
  return { ...answer, tool: tool?.name ?? null, delayMs: wishes.delayMs }
}

export function tokensInOf({ turns }: Pick<Question, 'turns'>): number {
  return turns.reduce((sum, { text }) => sum + tokensOf(text) + TOKENS_PER_TURN, 3)
}

/** Which tool a request demands: the one of this name, or the first if any may be called. */
export type Demand = { readonly name: string } | 'any' | null

export function demandedTool(demand: Demand, tools: () => readonly Tool[]): Tool | null {
  if (demand === null) return null
  const found = demand === 'any' ? tools()[0] : tools().find(({ name }) => name === demand.name)
  return found ?? null
}

function textAnswer({ turns }: Question, { words }: Wishes): string {
  const question = lastUserText(turns).trim()
  const { count, echo } = readWords(question)
  const text = introduction(question === '' ? 'Your message had no text.' : `I read ${count} from you: "${echo}".`)
  return words === 0 ? text : `${text} ${Array.from({ length: words }, (_, n) => `word-${n + 1}`).join(' ')}`
}

/** Of a question that is longer than this, an argument of a tool gets the beginning. */
const ARGUMENT_CHARS_MAX = 200

function shortened(text: string): string {
  return text.trim().slice(0, ARGUMENT_CHARS_MAX).toWellFormed()
}

function lastUserText(turns: Question['turns']): string {
  return turns.findLast(({ role }) => role === 'user')?.text ?? ''
}

/** The longest user message. The messages after it only comment on the document. */
function documentIn({ turns }: Question): string {
  const sent = turns.filter(({ role }) => role === 'user').map(({ text }) => text)
  return sent.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
