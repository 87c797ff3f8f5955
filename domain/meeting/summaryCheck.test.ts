import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factLines, type MeetingFacts, ruleSummary } from './facts.ts'
import { summaryFaults, unsupportedWords } from './summaryCheck.ts'

const facts: MeetingFacts = {
  room: null,
  startedAt: '2026-03-01T10:00:00.000Z',
  endedAt: '2026-03-01T10:45:30.000Z',
  job: { title: 'Senior Welder (m/w/d)', location: 'Basel', seniority: 'senior', requirements: ['MIG', 'C++'] },
  talent: {
    name: 'Ada O’Brien-Müller',
    location: 'Zürich',
    seniority: null,
    yearsOfExperience: 7.5,
    skills: ['MIG', '溶接'],
    languages: ['German'],
  },
  score: 72,
}
const lines = factLines(facts)

test('each fact takes one line, and the rule composes a summary of them', () => {
  expect(lines).toContain('Duration: 45 minutes 30 seconds')
  expect(lines).toContain('Match score: 72 of 100')
  expect(ruleSummary(facts)).toBe(
    'The meeting about the job Senior Welder (m/w/d) with Ada O’Brien-Müller took place on 2026-03-01 ' +
      'from 10:00 UTC to 10:45 UTC and lasted 45 minutes 30 seconds. The match score is 72 of 100.',
  )
})

test.each([
  ruleSummary(facts),
  'The meeting with Ada O’Brien-Müller was about the role of Senior Welder in Basel.',
  "Ada O'Brien-Müller's skills are MIG and 溶接; she speaks German.",
  'The candidate has 7.5 years of experience. The match score is 72 of 100.',
  'The meeting started at 10:00 UTC and ended at 10:45 UTC.',
  'C++ is required.',
])('accepts: %s', (summary) => {
  expect(unsupportedWords(summary, lines)).toEqual([])
})

describe('a summary is refused for', () => {
  test.each([
    ['an invented name', 'Zaphod Beeblebrox was a participant.', ['zaphod beeblebrox']],
    ['one in small letters', 'The meeting was with bob.', ['bob']],
    ['one in another script', 'The meeting was with 田中.', ['田中']],
    ['one that is made of two names', 'The meeting was with Ada Basel.', ['ada basel']],
    ['a name beside a true one', 'The meeting was with Ada O’Brien-Müller Smith.', ["ada o'brien-müller smith"]],
    ['a number', 'The match score is 73 of 100.', ['73']],
    ['a number in words', 'The meeting lasted ninety minutes.', ['ninety']],
    ['a part of a number', 'The meeting lasted 5 minutes.', ['5']],
    ['a part of a time', 'The meeting had 10 participants.', ['10']],
    ['a number in another script', 'The meeting lasted ٤٥ minutes.', ['٤٥']],
    ['a number in a circle', 'The match score is ⑨.', ['9']],
    ['a judgement', 'The candidate is a good match.', ['good']],
    ['a denial', 'The candidate has no experience.', ['no']],
    ['a claim that no fact supports', 'The job was offered to the candidate.', ['offered']],
    ['two numbers run together', 'The match score is 72100.', ['72100']],
  ])('%s', (_, summary, found) => {
    expect(unsupportedWords(summary, lines)).toEqual(found)
  })
})

test('an empty summary and one that is too long are refused', () => {
  expect(summaryFaults(' ', lines)).toEqual(['It is empty.'])
  expect(summaryFaults('the '.repeat(1_000), lines)).toEqual([expect.stringMatching(/longer than/)])
})

const text = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).filter((one) => one.trim() !== '')
const anyFacts: fc.Arbitrary<MeetingFacts> = fc.record({
  room: fc.option(text),
  startedAt: fc.constant('2026-03-01T10:00:00.000Z'),
  endedAt: fc.integer({ min: 1, max: 200_000_000 }).map((ms) => new Date(Date.UTC(2026, 2, 1, 10) + ms).toISOString()),
  job: fc.option(
    fc.record({ title: text, location: fc.option(text), seniority: fc.option(text), requirements: fc.array(text) }),
  ),
  talent: fc.option(
    fc.record({
      name: text,
      location: fc.option(text),
      seniority: fc.option(text),
      yearsOfExperience: fc.option(fc.integer({ min: 0, max: 60 })),
      skills: fc.array(text),
      languages: fc.array(text),
    }),
  ),
  score: fc.option(fc.integer({ min: 0, max: 100 })),
})

test('the summary composed by rule is accepted for any meeting', () => {
  fc.assert(
    fc.property(anyFacts, (any) => {
      expect(unsupportedWords(ruleSummary(any), factLines(any))).toEqual([])
    }),
  )
})

test('a name or number that is not in the facts is found anywhere in a summary', () => {
  const foreign = fc.constantFrom('Xaviqueth', 'xaviqueth', '987654321', 'Ξενοφών', '9876.5')
  fc.assert(
    fc.property(anyFacts, foreign, fc.nat(), (any, word, at) => {
      const known = factLines(any)
      fc.pre(!known.join(' ').toLowerCase().includes(word.toLowerCase()))
      const words = ruleSummary(any).split(' ')
      words.splice(at % (words.length + 1), 0, word)
      expect(unsupportedWords(words.join(' '), known)).not.toEqual([])
    }),
  )
})
