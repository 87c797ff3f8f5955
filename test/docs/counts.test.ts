import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EVENT_CATALOGUE } from '../../contracts/events/catalogue.ts'
import { PAYMENT_EVENT_TYPES } from '../../contracts/events/paymentEvent.ts'
import { DEFAULT_SCOPES, SCOPES } from '../../contracts/scopes.ts'
import { CATEGORIES } from '../../contracts/streams.ts'
import { ledgerDecider } from '../../domain/ledger/decider.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { gatewayRoutes } from '../../services/gateway/createGateway.ts'
import { BLANK } from '../hostile/blank.ts'
import { repository } from '../support/processes/npmProcess.ts'
import { markdownPaths, readMarkdown } from './markdown.ts'

const { inference, others } = gatewayRoutes(BLANK)
/** Each has a span in the trace of a charged call. */
const ledgerModels = PROJECTIONS.filter(
  ({ categories, skips }) => categories.includes('ledger') && !skips?.has('CallCharged'),
)

/** What documents count, by the words that they use for it. */
const COUNTS = {
  'inference routes': inference.length,
  'caller routes': inference.length + others.length,
  scopes: SCOPES.length,
  'default scopes': DEFAULT_SCOPES.length,
  'event types': Object.keys(EVENT_CATALOGUE).length,
  'payment event types': PAYMENT_EVENT_TYPES.length,
  'stream categories': CATEGORIES.length,
  'read models': PROJECTIONS.length,
  'of them of read models': ledgerModels.length,
  sums: Object.keys(ledgerDecider.initialState()).filter((name) => name.endsWith('Micros')).length,
}

const WORDS = ['three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
/** One or two of a thing are some of it, not all. */
const FIRST = 3

/** The context of a decision tells what was there before it, and the changelog what each version had. */
const documents = markdownPaths()
  .filter((path) => path !== 'CHANGELOG.md')
  .map((path) => ({ path, text: readMarkdown(path).prose.replace(/\n## Context\n.*?(?=\n## )/s, '') }))

type Stated = { readonly path: string; readonly count: number }

/** The numbers that stand right before these words. */
function statedCounts(noun: string): Stated[] {
  const form = new RegExp(`\\b(\\d+|${WORDS.join('|')})\\s+${noun.replaceAll(' ', '\\s+')}\\b`, 'gi')
  return documents.flatMap(({ path, text }) => {
    const counts = [...text.matchAll(form)].map(([, number = '']) => countOf(number.toLowerCase()))
    return counts.filter((count) => count >= FIRST).map((count) => ({ path, count }))
  })
}

function countOf(number: string): number {
  const index = WORDS.indexOf(number)
  return index === -1 ? Number(number) : index + FIRST
}

test.each(Object.entries(COUNTS))('documents that count "%s" say %i', (noun, count) => {
  const stated = statedCounts(noun)
  expect(stated).not.toEqual([])
  expect(stated.filter((statement) => statement.count !== count)).toEqual([])
})

describe.each([
  ['platform/README.md', 'What is where'],
  ['capabilities/README.md', 'What is where'],
  ['services/gateway/README.md', 'Boundaries'],
])('%s', (path, heading) => {
  test('lists every folder beside it and no other', () => {
    const folder = join(repository, path, '..')
    const entries = readdirSync(folder, { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    expect(listedFolders(path, heading)).toEqual(folders.toSorted())
  })
})

/** The names in the first column of the table below a heading. */
function listedFolders(path: string, heading: string): string[] {
  const [, section = ''] = new RegExp(`\\n## ${heading}\\n(.*?)(?=\\n## |$)`, 's').exec(readMarkdown(path).text) ?? []
  const cells = section.split('\n').flatMap((line) => /^\| (`.*?`) \|/.exec(line)?.[1] ?? [])
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)\/?`/g)].map(([, name]) => name ?? '')).toSorted()
}

test('projections/README.md lists every read model and no other', () => {
  const rows = [...readMarkdown('projections/README.md').text.matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| `/gm)]
  const listed = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name))
  expect(listed.toSorted()).toEqual(PROJECTIONS.map(({ name }) => name).toSorted())
})

test('domain/README.md lists every folder of the domain', () => {
  const entries = readdirSync(join(repository, 'domain'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const { text } = readMarkdown('domain/README.md')
  expect(folders.filter((name) => !new RegExp(`^\\| .*\`${name}/?\`.* \\|`, 'm').test(text))).toEqual([])
})
