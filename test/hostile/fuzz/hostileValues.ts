import fc from 'fast-check'
import { anyCharacter } from '../../support/cases/anyCharacter.ts'
import type { Piece } from '../wireCase.ts'

/** The bytes of one mutated body; the gateway's limit is 10 MiB, and few cases should come near it. */
const REPEATS_MAX = 200_000

export const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    '',
    '\u0000',
    'a\u0000b',
    '\\',
    '"',
    "'; --",
    '$a',
    '{{a}}',
    '../..',
    '%00',
    '\u2028',
    'İ',
    'ﬀ',
    '🏴',
  ),
  fc.constantFrom('6f1c2e1a-0b5f-4d0e-9d3a-0a8b4f0c7d11', '2026-03-01T12:00:00.000Z', 'svc/chat-cheap', 'true', '1e3'),
)

const times = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 50 }) },
  { weight: 3, arbitrary: fc.nat({ max: 5_000 }) },
  { weight: 1, arbitrary: fc.nat({ max: REPEATS_MAX }) },
)

/** Repetitions: nesting, tiny members, long texts. */
export function repeated(...texts: string[]): fc.Arbitrary<Piece> {
  return fc.record({ repeat: fc.constantFrom(...texts), times })
}

const numbers = fc.oneof(
  fc.constantFrom('-0', '1e400', '-1', '0.1', '1E+2', '9007199254740993', '1e-400', '00', '+1', '.5', 'NaN', '0x1'),
  fc.double().map(String),
  fc.maxSafeInteger().map(String),
)

/** JSON, or nearly, in place of any value. */
export const hostileJson: fc.Arbitrary<readonly Piece[]> = fc.oneof(
  fc
    .constantFrom('null', 'true', '{}', '[]', '""', '', 'undefined', '{"__proto__":1}', '"\\ud800"', '"\\u0000"')
    .map(only),
  numbers.map(only),
  anyText.map((text) => only(JSON.stringify(text))),
  repeated('[', '{"a":', '[{"a":[', '[[],').map((piece) => [piece]),
  times.map((n) => [
    { repeat: '[', times: n },
    { repeat: ']', times: n },
  ]),
  repeated('"a":1,', '"a":{},', '"\\u0061":"",').map((piece) => ['{', piece, '"b":1}']),
  repeated('0,', '"",', '{},', '[],', '{"role":"user"},').map((piece) => ['[', piece, '0]']),
  repeated('a', '\\\\', '\\u0000', 'é', '\\n', ' ', '/').map((piece) => ['"', piece, '"']),
  fc.json({ maxDepth: 4 }).map(only),
)

function only(text: string): readonly Piece[] {
  return [text]
}
