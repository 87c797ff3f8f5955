import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { parseProviders } from '../../capabilities/providers/providersFile.ts'
import { SANDBOX_ALIASES } from '../../contracts/aliases.ts'
import { GATEWAY_ERRORS } from '../../contracts/errors.ts'
import { EVENT_CATALOGUE } from '../../contracts/events/catalogue.ts'
import { OTHER_PAYMENT_EVENT_TYPES, PAYMENT_EVENT_TYPES } from '../../contracts/events/paymentEvent.ts'
import { SCOPES } from '../../contracts/scopes.ts'
import { CATEGORIES } from '../../contracts/streams.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { declaredMetrics } from '../support/cases/declaredMetrics.ts'
import { repository } from '../support/processes/npmProcess.ts'
import { markdownPaths, readMarkdown } from './markdown.ts'

/** The text below a heading, down to the next one. */
function section(path: string, heading: string): string {
  const [, text] = new RegExp(`\\n## ${heading}\\n(.*?)(?=\\n## |$)`, 's').exec(readMarkdown(path).text) ?? []
  if (text === undefined) throw new Error(`${path} has no section "${heading}"`)
  return text
}

function quoted(text: string, form: RegExp): string[] {
  const found = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '').filter((code) => form.test(code))
  return [...new Set(found)].toSorted()
}

test('docs/callers.md lists every scope and every alias of the sandbox', () => {
  expect(quoted(section('docs/callers.md', 'Keys and scopes'), /^[a-z]+:[a-z]+$/)).toEqual(SCOPES.toSorted())
  expect(quoted(section('docs/callers.md', 'Model aliases'), /^svc\//)).toEqual(SANDBOX_ALIASES.toSorted())
})

test('docs/callers.md lists every error of the gateway with its status, type and code', () => {
  const rows = section('docs/callers.md', 'Errors').split('\n')
  const unlisted = Object.values(GATEWAY_ERRORS).filter(
    ({ status, type, code }) =>
      !rows.some(
        (row) => row.startsWith(`| ${status} | \`${type}\` |`) && row.includes(code === null ? '| null |' : code),
      ),
  )
  expect(unlisted).toEqual([])
})

test('docs/admins.md lists every type of payment event', () => {
  const listed = quoted(
    section('docs/admins.md', 'Payments'),
    /^(?:checkout|invoice|customer|charge|refund|payment_intent)\.[a-z_.]+$/,
  )
  expect(listed).toEqual([...PAYMENT_EVENT_TYPES, ...OTHER_PAYMENT_EVENT_TYPES].toSorted())
})

test('docs/admins.md names every operation of the GraphQL schema', () => {
  const schema = buildSchema(readFileSync(join(repository, 'contracts/graphql/schema.graphql'), 'utf8'))
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const operations = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}))
  const { text } = readMarkdown('docs/admins.md')
  expect(operations.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

test('the providers file that docs/operators.md shows is valid', () => {
  const examples = readMarkdown('docs/operators.md').blocks.filter(({ language }) => language === 'json')
  expect(examples).not.toEqual([])
  for (const { text } of examples) {
    expect(() => parseProviders(text, 'docs/operators.md', { FIRST_KEY: 'a key' })).not.toThrow()
  }
})

test('docs/auditors.md lists every read model', () => {
  const names = PROJECTIONS.map(({ name }) => name).toSorted()
  expect(quoted(section('docs/auditors.md', 'Prove a read model'), /^[a-z]+(?:-[a-z]+)*$/)).toEqual(
    expect.arrayContaining(names),
  )
})

test('docs/architecture.md lists every category of streams and names only events that exist', () => {
  const streams = section('docs/architecture.md', 'Streams and events')
  const listed = quoted(streams, /^[a-zA-Z]+-(?:<|book|checkpoints)/).map((name) => name.split('-', 1)[0] ?? '')
  expect(listed.toSorted()).toEqual(CATEGORIES.toSorted())
  const named = [...streams.matchAll(/\b(?:[A-Z][a-z]+){2,}\b/g)].map(([name]) => name)
  expect(named.filter((name) => name in EVENT_CATALOGUE).length).toBeGreaterThan(0)
  expect(named.filter((name) => !(name in EVENT_CATALOGUE))).toEqual([])
})

test('the documents name only metrics that a service has', () => {
  const declared = new Set(declaredMetrics().map(({ name }) => name))
  const named = markdownPaths().flatMap((path) => quoted(readMarkdown(path).prose, /^tollgate_\w+$/))
  expect(named.filter((name) => !declared.has(name))).toEqual([])
})

test('docs/operators.md lists every metric with its labels', () => {
  const rows = section('docs/operators.md', 'Health, metrics, logs')
    .split('\n')
    .map((row) => row.split('|'))
  for (const { name, labels } of declaredMetrics()) {
    const row = rows.find(([, names]) => names?.includes(`\`${name}\``))
    expect(row && quoted(row[2] ?? '', /./), name).toEqual(labels.toSorted())
  }
})
