import { createInterface } from 'node:readline'
import { askPassword, requirePassword, type Terminal } from './askPassword.ts'

/** Where an action gets what the command line does not say: from a person at a terminal, or not at all. */
export type Questions = {
  /** Whether a person can be asked. */
  readonly isInteractive: boolean
  /** An empty answer means the default. */
  ask(question: string, preset?: string): Promise<string>
  /** The password of a new user: asked for without echo, or the next line of standard input. */
  password(email: string): Promise<string>
}

/** Longer input is not a list of passwords. */
const INPUT_CHARS_MAX = 4_096

export function questionsTo(input: Terminal, print: (text: string) => void): Questions {
  let lines: Promise<string[]> | null = null
  return {
    isInteractive: input.isTTY === true,
    ask: (question, preset) => askLine(input, print, question, preset),
    password: async (email) => {
      if (input.isTTY) {
        print(`${email}\n`)
        return askPassword(input, print)
      }
      lines ??= allLines(input)
      const next = (await lines).shift()
      if (next === undefined)
        throw new Error(`no password for ${email}: standard input must have a line for each new user`)
      return requirePassword(next)
    },
  }
}

async function allLines(input: Terminal): Promise<string[]> {
  let text = ''
  input.setEncoding('utf8')
  for await (const chunk of input) {
    text += chunk
    if (text.length > INPUT_CHARS_MAX) throw new Error(`standard input has more than ${INPUT_CHARS_MAX} characters`)
  }
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function askLine(
  input: Terminal,
  print: (text: string) => void,
  question: string,
  preset: string | undefined,
): Promise<string> {
  const lines = createInterface({ input, terminal: false })
  print(preset === undefined ? `${question}: ` : `${question} [${preset}]: `)
  return new Promise<string>((resolve, reject) => {
    lines.once('line', (line) => resolve(line.trim() || (preset ?? '')))
    lines.once('close', () => reject(new Error('stopped: no answer was given')))
  }).finally(() => lines.close())
}
