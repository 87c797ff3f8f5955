import { describe, expect, test } from 'vitest'
import { linksIn, phoneIn } from './contact.ts'
import { findRange } from './dates.ts'
import { entriesOf } from './entries.ts'
import { readText } from './facts.ts'
import { languagesOf, pointsOf, skillsOf } from './lists.ts'
import { salaryIn } from './salary.ts'
import { kindOfHeading } from './sections.ts'

test.each([
  ['Jan 2020 - Present', '2020-01', 'present'],
  ['04/2019 – heute', '2019-04', 'present'],
  ['03.2013 bis 07.2017', '2013-03', '2017-07'],
  ['2021-05 - 2022-01', '2021-05', '2022-01'],
  ['2015-2019', '2015', '2019'],
  ['de septembre 2013 à décembre 2017', '2013-09', '2017-12'],
  ['seit März 2018', '2018-03', 'present'],
  ['University 2009 – 2012', '2009', '2012'],
  ['August 2017 to now', '2017-08', 'present'],
])('dates: %s', (text, start, end) => {
  expect(findRange(text)).toMatchObject({ start, end })
})

test.each([
  ['£70,000 - £85,000 per year', 70_000, 85_000, 'GBP', 'year'],
  ['Gehalt: 3.100 € bis 3.500 € pro Monat', 3_100, 3_500, 'EUR', 'month'],
  ['42 000 à 48 000 € par an', 42_000, 48_000, 'EUR', 'year'],
  ['$22 per hour', 22, 22, 'USD', 'hour'],
  ['15,50 Euro pro Stunde', 15.5, 15.5, 'EUR', 'hour'],
  ['CHF 180 000 - 210 000 par an', 180_000, 210_000, 'CHF', 'year'],
  ['€60k - €75k a year', 60_000, 75_000, 'EUR', 'year'],
  ['CAD 850 per day', 850, 850, 'CAD', 'day'],
  ['A 12 month contract, $62,000 per year', 62_000, 62_000, 'USD', 'month'],
])('salary: %s', (text, min, max, currency, period) => {
  expect(salaryIn([text])).toMatchObject({ min, max, currency, ...(text.startsWith('A 12') ? {} : { period }) })
})

test('a text that names no sum of money has no salary', () => {
  expect(salaryIn(['Five years of experience', 'Team of 12'])).toBeNull()
})

test.each([
  ['Key Responsibilities', 'responsibilities'],
  ['IHRE AUFGABEN:', 'responsibilities'],
  ['Profil recherché', 'required'],
  ["What you'll do", 'responsibilities'],
  ['Sprachkenntnisse', 'languages'],
  ['Compétences clés', 'skills'],
  ['Parcours professionnel', 'experience'],
  ['Acme Ltd', null],
])('heading: %s', (text, kind) => {
  expect(kindOfHeading(text)).toBe(kind)
})

describe('work entries in different layouts', () => {
  const wanted = [
    { title: 'Head Chef', organisation: 'The Otter', start: '2018-05', end: 'present', description: 'Writes menus.' },
    { title: 'Cook', organisation: 'Glen Lodge', start: '2013', end: '2018', description: 'Ran the pass.' },
  ]
  test.each([
    [
      'dates below',
      'Head Chef, The Otter\nMay 2018 - present\nWrites menus.\nCook, Glen Lodge\n2013 - 2018\nRan the pass.',
    ],
    [
      'dates before',
      '05/2018 - present: Head Chef, The Otter\n- Writes menus.\n2013 - 2018: Cook, Glen Lodge\n- Ran the pass.',
    ],
    [
      'dates behind',
      'Head Chef | The Otter | 05/2018 - now\nWrites menus.\nCook | Glen Lodge | 2013 - 2018\nRan the pass.',
    ],
    [
      'employer first',
      'The Otter\tMay 2018 - present\nHead Chef\n- Writes menus.\nGlen Lodge\t2013 - 2018\nCook\n- Ran the pass.',
    ],
    [
      'three lines',
      'Head Chef\nThe Otter\n05/2018 - present\n- Writes menus.\n\nCook\nGlen Lodge\n2013 - 2018\n- Ran the pass.',
    ],
    [
      'a sentence',
      'Head Chef at The Otter (05/2018 - present)\n* Writes menus.\nCook at Glen Lodge (2013 - 2018)\n* Ran the pass.',
    ],
  ])('%s', (_, text) => {
    expect(entriesOf(text.split('\n'), 'work')).toEqual(wanted)
  })
})

test('skills, languages and points are read from lists', () => {
  expect(skillsOf(['Languages: Go (4 years), C++; Rust', '- SQL'])).toEqual([
    { name: 'Go', years: 4 },
    { name: 'C++', years: null },
    { name: 'Rust', years: null },
    { name: 'SQL', years: null },
  ])
  expect(languagesOf(['English (native), Deutsch: B2', 'Français - courant', 'Latin'])).toEqual([
    { name: 'English', level: 'native' },
    { name: 'Deutsch', level: 'B2' },
    { name: 'Français', level: 'courant' },
    { name: 'Latin', level: null },
  ])
  expect(pointsOf(['- One that goes on', '  in the next line', '- Two', '', '- Three'])).toEqual([
    'One that goes on in the next line',
    'Two',
    'Three',
  ])
})

test('finds phone numbers and links, and no text that only resembles them', () => {
  expect(phoneIn('Call (415) 555-0188 now')).toBe('(415) 555-0188')
  expect(phoneIn('2015 - 2019')).toBeNull()
  expect(linksIn('See https://a.example/x, www.b.example and c.example/d. Not e@f.example or node.js')).toEqual([
    'https://a.example/x',
    'www.b.example',
    'c.example/d',
  ])
})

test('a text is cut to the limits of its length, lines and words before it is read', () => {
  expect(readText('a'.repeat(1_000_000)).text).toBe('a'.repeat(300))
  expect(readText('a\n'.repeat(100_000)).text.split('\n')).toHaveLength(3_000)
  expect(readText('ab '.repeat(1_000_000)).text).toHaveLength(200_000)
})
