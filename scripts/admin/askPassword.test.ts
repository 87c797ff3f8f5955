import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { askPassword } from './askPassword.ts'

/** A person at a terminal who answers each question with one of these, and what they see. */
function typing(...answers: string[]) {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keyboard })
  let seen = ''
  const print = (text: string) => {
    seen += text
    const answer = text === '\n' ? undefined : answers.shift()
    if (answer !== undefined) setImmediate(() => keyboard.write(answer))
  }
  return { password: askPassword(keyboard, print), seen: () => seen }
}

test('a password is asked for twice at a terminal, without echo', async () => {
  const { password, seen } = typing('correct horse\r', 'correct horse\r')
  expect(await password).toBe('correct horse')
  expect(seen()).toBe('Password: \nRepeat the password: \n')
})

test('a password can be corrected while it is typed', async () => {
  const { password } = typing('correct horst\x7fe\r', 'correct horse\r')
  expect(await password).toBe('correct horse')
})

test.each([
  ['two that differ', ['correct horse\r', 'correct house\r'], 'the two passwords differ'],
  ['one that is too short', ['horse\r'], 'a password must have 10 to 256 characters; this one has 5'],
  ['Ctrl-C', ['correct\x03'], 'stopped: no user was created'],
  ['Ctrl-D', ['\x04'], 'no password was given'],
])('%s: refused', async (_, answers, message) => {
  await expect(typing(...answers).password).rejects.toThrow(message)
})

test.each([
  ['a line', ['correct ', 'horse\n']],
  ['a line of another system', ['correct horse\r\nand more']],
  ['a file without a newline', ['correct horse']],
])('from anything else it is the first line: %s', async (_, chunks) => {
  expect(await askPassword(Readable.from(chunks), () => {})).toBe('correct horse')
})

test('endless input is read only up to the length of a password', async () => {
  let read = 0
  const endless = Readable.from(
    (function* () {
      for (;;) {
        read++
        yield 'x'.repeat(100)
      }
    })(),
    { highWaterMark: 1 },
  )
  await expect(askPassword(endless, () => {})).rejects.toThrow('a password must have 10 to 256 characters')
  expect(read).toBeLessThan(10)
})
