import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../../services/platform/secrets/passwords.ts'

export type Terminal = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/**
 * From a terminal it is asked for twice, and what is typed is not shown; from anything else it is the first line. Never
 * from the command line, where everybody on the machine can read it.
 */
export async function askPassword(input: Terminal, tell: (text: string) => void): Promise<string> {
  if (!input.isTTY) return requirePassword(await firstLine(input))
  const password = requirePassword(await askUnseen(input, tell, 'Password: '))
  if ((await askUnseen(input, tell, 'The same again: ')) !== password) throw new Error('the two passwords differ')
  return password
}

function requirePassword(password: string): string {
  if (password.length < PASSWORD_CHARS_MIN || password.length > PASSWORD_CHARS_MAX) {
    throw new Error(`a password has ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters, not ${password.length}`)
  }
  return password
}

/** Of a file or a pipe that is larger than any password no more is read than that takes. */
async function firstLine(input: Terminal): Promise<string> {
  let text = ''
  input.setEncoding('utf8')
  for await (const chunk of input) {
    text += chunk
    if (text.includes('\n') || text.length > PASSWORD_CHARS_MAX + 1) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

function askUnseen(input: Terminal, tell: (text: string) => void, question: string): Promise<string> {
  // Line editing works as ever; what it would show goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
  tell(question)
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('SIGINT', () => reject(new Error('stopped: nobody was created')))
    lines.once('close', () => reject(new Error('no password was given')))
  }).finally(() => {
    lines.close()
    tell('\n')
  })
}
