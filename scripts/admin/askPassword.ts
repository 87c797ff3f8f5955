import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../../platform/secrets/passwords.ts'

export type Terminal = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/**
 * Asks for the password twice at a terminal, without echo; otherwise reads the first line. A password is never taken
 * from the command line, where every user of the machine can read it.
 */
export async function askPassword(input: Terminal, print: (text: string) => void): Promise<string> {
  if (!input.isTTY) return requirePassword(await firstLine(input))
  const password = requirePassword(await askUnseen(input, print, 'Password: '))
  if ((await askUnseen(input, print, 'Repeat the password: ')) !== password) throw new Error('the two passwords differ')
  return password
}

export function requirePassword(password: string): string {
  if (password.length < PASSWORD_CHARS_MIN || password.length > PASSWORD_CHARS_MAX) {
    throw new Error(
      `a password must have ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters; this one has ${password.length}`,
    )
  }
  return password
}

/** Stops reading once the input is longer than any password. */
async function firstLine(input: Terminal): Promise<string> {
  let text = ''
  input.setEncoding('utf8')
  for await (const chunk of input) {
    text += chunk
    if (text.includes('\n') || text.length > PASSWORD_CHARS_MAX + 1) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

function askUnseen(input: Terminal, print: (text: string) => void, question: string): Promise<string> {
  // Line editing works as usual, but its echo is discarded.
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: discarded, terminal: true, historySize: 0 })
  print(question)
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('SIGINT', () => reject(new Error('stopped: no user was created')))
    lines.once('close', () => reject(new Error('no password was given')))
  }).finally(() => {
    lines.close()
    print('\n')
  })
}
