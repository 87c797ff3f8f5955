import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../support/processes/npmProcess.ts'
import { type MarkdownDocument, markdownPaths, readMarkdown } from './markdown.ts'
import { mermaidFault } from './mermaid.ts'

const README_LINES_MAX = 120
const documents = markdownPaths().map(readMarkdown)
const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

const exists = (path: string) => existsSync(join(repository, path))

test(`the README has at most ${README_LINES_MAX} lines and names the two commands`, () => {
  const readme = readMarkdown('README.md')
  expect(readme.text.trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX)
  const commands = readme.blocks.map(({ text }) => text.trim())
  expect(commands).toContain('npm ci && npm start')
  expect(commands).toContain('npm ci && npm test')
})

test('docs/commands.md lists every npm script, with options that it has', () => {
  const rows = [...readMarkdown('docs/commands.md').text.matchAll(/^\| `npm (?:run )?([a-z][\w:-]*)(.*)$/gm)]
  const listed = rows.map(([, name = '', rest = '']) => ({
    name,
    options: rest.match(/(?<=[\s`])--[a-z][a-z-]*/g) ?? [],
  }))
  expect([...new Set(listed.map(({ name }) => name))].toSorted()).toEqual(Object.keys(scripts).toSorted())
  expect(listed.filter(({ name, options }) => options.some((option) => !helpOf(name).includes(option)))).toEqual([])
})

test('every part of the program and every service has a README', () => {
  const parts = [
    'contracts',
    'domain',
    'projections',
    'platform',
    'capabilities',
    'console',
    'scripts',
    'bench',
    'deploy',
  ]
  const services = readdirSync(join(repository, 'services')).map((name) => `services/${name}`)
  const readmes = new Set(documents.map(({ path }) => path))
  expect([...parts, ...services, 'test'].filter((folder) => !readmes.has(`${folder}/README.md`))).toEqual([])
})

/** The source of a command, which has its help. Most benchmarks share theirs. */
function helpOf(script: string): string {
  const files = [...(scripts[script] ?? '').matchAll(/\S+\.(?:ts|mjs)\b/g)].map(([file]) => file)
  const shared = script.startsWith('bench')
    ? ['bench/benchCommand.ts', `bench/${script.slice('bench:'.length)}/command.ts`]
    : []
  return [...files, ...shared.filter(exists)].map((file) => readFileSync(join(repository, file), 'utf8')).join('\n')
}

describe.each(documents.map((document) => [document.path, document] as const))('%s', (path, document) => {
  test('links only to files and headings that exist', () => {
    expect(links(document).filter((target) => !resolves(path, target))).toEqual([])
  })

  test('names only npm scripts that package.json has', () => {
    const named = [...document.text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name]) => name ?? '')
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  test('names only files that exist', () => {
    expect(namedFiles(document).filter((name) => !isThere(path, name))).toEqual([])
  })

  test('names an existing file on each arrow of its sequence diagrams', () => {
    const arrows = document.blocks
      .filter(({ language, text }) => language === 'mermaid' && text.startsWith('sequenceDiagram'))
      .flatMap(({ text }) => text.split('\n').filter((line) => /^\s*(?:\w+-?->>|Note over .*<br)/.test(line)))
    expect(arrows.filter((arrow) => !exists(/<br\/>(\S+\.ts)$/.exec(arrow)?.[1] ?? 'no file'))).toEqual([])
  })

  test('has Mermaid diagrams whose lines can be read', () => {
    const faults = document.blocks
      .filter(({ language }) => language === 'mermaid')
      .map(({ text, line }) => mermaidFault(text, line))
    expect(faults.filter((fault) => fault !== null)).toEqual([])
  })
})

test('every decision record is in the index, in the order of its number', () => {
  const records = documents
    .map(({ path }) => path)
    .filter((path) => /^docs\/decisions\/\d{4}-/.test(path))
    .map((path) => path.slice('docs/decisions/'.length))
    .toSorted()
  const index = readMarkdown('docs/decisions/README.md')
  expect(links(index).filter((target) => /^\d{4}-/.test(target))).toEqual(records)
})

test('comments name only documents that exist', () => {
  const folders = '{contracts,domain,projections,platform,capabilities,services,scripts,bench,test}'
  const named = globSync(`${folders}/**/*.ts`, { cwd: repository }).flatMap((file) => {
    const text = readFileSync(join(repository, file), 'utf8')
    return [...text.matchAll(/\bdocs\/[\w/.-]+\.md\b/g)].map(([path]) => ({ file, path }))
  })
  expect(named.filter(({ path }) => !exists(path))).toEqual([])
})

function links({ prose }: MarkdownDocument): string[] {
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '')
}

function resolves(from: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), file))
  if (!exists(path)) return false
  return anchor === undefined || readMarkdown(path).anchors.has(anchor)
}

/** File names in inline code: those with a folder, and tests by their bare name. Patterns with `<` or `*` are not names. */
function namedFiles({ prose }: MarkdownDocument): string[] {
  return [...prose.matchAll(/`([^`\s]+\.(?:ts|mjs|md|json|jsonl|sql|graphql|yml))`/g)]
    .map(([, name]) => name ?? '')
    .filter((name) => !/[<*{…$]|^\.data\/|^https?:/.test(name))
    .filter((name) => name.includes('/') || name.endsWith('.test.ts'))
}

/** Names are relative to the repository, or to any folder at or below that of the document. */
function isThere(from: string, name: string): boolean {
  const folder = dirname(from)
  if (exists(name) || exists(join(folder, name))) return true
  return folder !== '.' && filesBelow(folder).some((file) => file.endsWith(`/${name}`))
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${file}`)
}
