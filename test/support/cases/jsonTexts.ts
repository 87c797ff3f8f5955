import fc from 'fast-check'
import { anyCharacter } from './anyCharacter.ts'

/** JSON in every form that the grammar allows: the gateway must keep what a parser would normalise. */

export type MemberText = {
  readonly key: string
  readonly beforeColon: string
  readonly afterColon: string
  readonly value: string
  readonly before: string
  readonly after: string
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

export const spaces = fc
  .array(fc.constantFrom(' ', '\n', '\r', '\t'), { maxLength: 3 })
  .map((characters) => characters.join(''))

const spellings = fc.constantFrom('plain', 'short', 'lower', 'upper')
type Spelling = 'plain' | 'short' | 'lower' | 'upper'

function spelled(char: string, spelling: Spelling): string {
  const code = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0')
  if (spelling === 'lower')
    return char
      .split('')
      .map((unit) => `\\u${code(unit)}`)
      .join('')
  if (spelling === 'upper')
    return char
      .split('')
      .map((unit) => `\\u${code(unit).toUpperCase()}`)
      .join('')
  if (spelling === 'short' && SHORT_ESCAPES[char] !== undefined) return SHORT_ESCAPES[char]
  return JSON.stringify(char).slice(1, -1)
}

/** A JSON string of this text, with any characters escaped. */
export function stringText(text: string): fc.Arbitrary<string> {
  const characters = [...text]
  return fc
    .array(spellings, { minLength: characters.length, maxLength: characters.length })
    .map((chosen) => `"${characters.map((char, at) => spelled(char, chosen[at] ?? 'plain')).join('')}"`)
}

const anyString = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 12 }),
    fc.constantFrom(
      '\\',
      '"',
      '\\"',
      '}',
      '],',
      '{"model":"x"}',
      'é漢🙂',
      `${'long \\ " '.repeat(20)}`,
      '\\'.repeat(70),
    ),
  )
  .chain(stringText)

const numbers = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1E+2', '1.000', '12345678901234567890123', '1e400', '0.1e-7', '3.14'),
  fc.integer().map(String),
)

export const { value: valueText } = fc.letrec<{ value: string; members: MemberText[] }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    numbers,
    anyString,
    fc
      .tuple(spaces, fc.array(fc.tuple(spaces, tie('value'), spaces), { maxLength: 4 }))
      .map(([empty, items]) => `[${items.length === 0 ? empty : items.map((item) => item.join('')).join(',')}]`),
    fc.tuple(spaces, tie('members')).map(([empty, members]) => objectText(members, empty)),
  ),
  members: fc.array(memberOf(anyString, tie('value')), { maxLength: 4 }),
}))

export function memberOf(key: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<MemberText> {
  return fc.record({ key, beforeColon: spaces, afterColon: spaces, value, before: spaces, after: spaces })
}

export const anyMembers = fc.array(memberOf(anyString, valueText), { maxLength: 6 })

export function objectText(members: readonly MemberText[], emptySpace = ''): string {
  if (members.length === 0) return `{${emptySpace}}`
  return `{${members.map(memberText).join(',')}}`
}

function memberText({ before, key, beforeColon, afterColon, value, after }: MemberText): string {
  return `${before}${key}${beforeColon}:${afterColon}${value}${after}`
}
