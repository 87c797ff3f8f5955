import { describe, expect, test } from 'vitest'
import { describeImportArrows, readImportArrows } from '../../scripts/test/importArrows.ts'
import { plantTree } from './plantedTree.ts'

const rightTree = {
  'check/check.mjs': "export const files = () => import('node:fs/promises')\n",
  'contracts/events.ts': "import { z } from 'zod'\nexport const events = z.string()\n",
  'domain/decide.ts': "import { events } from '../contracts/events.ts'\nexport const decide = events\n",
  'domain/decide.test.ts': "import 'vitest'\nimport '../test/support/specification.ts'\nimport './decide.ts'\n",
  'projections/usage/rows.ts': "import { decide } from '../../domain/decide.ts'\nexport const rows = decide\n",
  'projections/usage/hash.ts': "import { createHash } from 'node:crypto'\nexport const hash = createHash\n",
  'projections/usage/rows.test.ts': "import '../../test/support/specification.ts'\nimport './rows.ts'\n",
  'platform/postgres/pool.ts': "import { Pool } from 'pg'\nexport const pool = Pool\n",
  'capabilities/statement.ts': "import { decide } from '../domain/decide.ts'\nexport const statement = decide\n",
  'services/gateway/main.ts': "import { pool } from '../../platform/postgres/pool.ts'\nexport const main = pool\n",
  'services/gateway/usage.ts': "import { rows } from '../../projections/usage/rows.ts'\nexport const usage = rows\n",
  'services/gateway/main.test.ts': "import 'undici'\nimport './main.ts'\n",
  'services/backend/main.ts': 'export const main = 1\n',
  'console/vite.config.ts': "import 'vite'\nimport 'node:path'\nexport const config = 1\n",
  'console/build/build.ts': "import 'node:fs/promises'\nimport './compress.ts'\nimport 'vite'\n",
  'console/build/compress.ts': "import 'node:zlib'\n",
  'console/src/main.tsx': "import { useState } from 'react'\nexport const main = <p>{useState}</p>\n",
  'bench/figure.ts': 'export const figure = 1\n',
  'scripts/start.ts': "import 'pg'\nimport '../services/gateway/main.ts'\nimport '../services/backend/main.ts'\n",
  'test/support/specification.ts': "import 'pg'\nexport const given = 1\n",
  'test/simulation/checkers/right.ts':
    "import type { events } from '../../../contracts/events.ts'\nexport type E = typeof events\n",
}

const npmPackage = (name: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: 'module.exports = {}\n',
})

const drivers = {
  express: 'express',
  pg: 'pg',
  '@eventstore/db-client': 'eventstore-db-client',
  kafkajs: 'kafkajs',
  ioredis: 'ioredis',
  'rate-limiter-flexible': 'rate-limiter-flexible',
  pino: 'pino',
  '@opentelemetry/api': 'opentelemetry',
  jose: 'jose',
  stripe: 'stripe',
  undici: 'undici',
  nodemailer: 'nodemailer',
  standardwebhooks: 'standardwebhooks',
}
const installed = Object.assign(
  {},
  ...[...Object.keys(drivers), 'zod', 'uuid', 'vitest', 'vite', 'react'].map(npmPackage),
) as Record<string, string>

type Planted = { rule: string; file: string; text: string }

const oneWay: Planted[] = [
  { rule: 'check-imports-nothing', file: 'check/wrong.mjs', text: "import '../contracts/events.ts'" },
  { rule: 'check-imports-nothing', file: 'check/wrong.mjs', text: "import 'zod'" },
  { rule: 'check-imports-nothing', file: 'check/wrong.mjs', text: "import 'node:crypto'" },
  { rule: 'contracts-import-only-zod', file: 'contracts/wrong.ts', text: "import 'node:crypto'" },
  { rule: 'contracts-import-only-zod', file: 'contracts/wrong.ts', text: "import 'uuid'" },
  { rule: 'contracts-stand-rightmost', file: 'contracts/wrong.ts', text: "import '../domain/decide.ts'" },
  { rule: 'contracts-stand-rightmost', file: 'contracts/wrong.test.ts', text: "import '../domain/decide.ts'" },
  { rule: 'domain-imports-only-contracts', file: 'domain/wrong.ts', text: "import 'node:fs'" },
  {
    rule: 'domain-imports-only-contracts',
    file: 'domain/wrong.ts',
    text: "import type { z } from 'zod'\nexport type Z = z",
  },
  { rule: 'domain-not-to-its-left', file: 'domain/wrong.ts', text: "import '../projections/usage/rows.ts'" },
  { rule: 'domain-not-to-its-left', file: 'domain/wrong.test.ts', text: "import '../platform/postgres/pool.ts'" },
  { rule: 'projections-not-to-services', file: 'projections/wrong.ts', text: "import '../platform/postgres/pool.ts'" },
  {
    rule: 'projections-not-to-services',
    file: 'projections/a/wrong.ts',
    text: "import '../../services/backend/main.ts'",
  },
  { rule: 'service-not-to-another-service', file: 'services/backend/wrong.ts', text: "import '../gateway/main.ts'" },
  {
    rule: 'service-not-to-another-service',
    file: 'services/backend/a/wrong.ts',
    text: "import '../../gateway/main.ts'",
  },
  { rule: 'no-imports-of-services', file: 'platform/wrong.ts', text: "import '../services/gateway/main.ts'" },
  { rule: 'no-imports-of-services', file: 'capabilities/wrong.ts', text: "import '../services/gateway/main.ts'" },
  {
    rule: 'console-imports-nothing-of-the-server',
    file: 'console/src/wrong.tsx',
    text: "import type { pool } from '../../platform/postgres/pool.ts'\nexport const p: typeof pool = <p />",
  },
  {
    rule: 'console-imports-nothing-of-the-server',
    file: 'console/src/wrong.ts',
    text: "import '../../contracts/events.ts'",
  },
  { rule: 'console-imports-nothing-of-the-server', file: 'console/src/wrong.ts', text: "import 'zod'" },
  { rule: 'console-imports-nothing-of-the-server', file: 'console/src/wrong.ts', text: "import 'node:fs'" },
  {
    rule: 'console-build-imports-only-vite',
    file: 'console/build/wrong.ts',
    text: "import '../../platform/postgres/pool.ts'",
  },
  { rule: 'console-build-imports-only-vite', file: 'console/build/wrong.ts', text: "import 'zod'" },
  {
    rule: 'service-not-to-another-service',
    file: 'services/backend/wrong.ts',
    text: "import '../../console/src/main.tsx'",
  },
  { rule: 'services-not-to-scripts', file: 'services/gateway/wrong.ts', text: "import '../../scripts/start.ts'" },
  { rule: 'services-not-to-scripts', file: 'capabilities/wrong.ts', text: "import '../bench/figure.ts'" },
  { rule: 'test-code-only-in-tests', file: 'domain/wrong.ts', text: "import '../test/support/specification.ts'" },
  { rule: 'test-code-only-in-tests', file: 'scripts/wrong.ts', text: "import '../test/support/specification.ts'" },
  { rule: 'test-code-only-in-tests', file: 'services/gateway/wrong.ts', text: "import './main.test.ts'" },
  {
    rule: 'simulation-checkers-share-nothing',
    file: 'test/simulation/checkers/wrong.ts',
    text: "import '../../../domain/decide.ts'",
  },
  {
    rule: 'simulation-checkers-share-nothing',
    file: 'test/simulation/checkers/wrong.ts',
    text: "import type { pool } from '../../../platform/postgres/pool.ts'\nexport type P = typeof pool",
  },
  { rule: 'pg-only-in-its-adapter', file: 'projections/wrong.ts', text: "import 'pg'" },
  { rule: 'pg-only-in-its-adapter', file: 'services/gateway/wrong.ts', text: "import 'pg/lib/pool'" },
  { rule: 'pg-only-in-its-adapter', file: 'platform/feed/wrong.ts', text: "import 'pg'" },
  {
    rule: 'stripe-only-in-its-adapter',
    file: 'capabilities/statements/wrong.ts',
    text: "import type {} from 'stripe'",
  },
  ...Object.entries(drivers).map(([driver, name]) => ({
    rule: `${name}-only-in-its-adapter`,
    file: 'services/gateway/wrong.ts',
    text: `import '${driver}'`,
  })),
  { rule: 'platform-knows-no-business', file: 'platform/wrong.ts', text: "import '../domain/decide.ts'" },
  { rule: 'platform-knows-no-business', file: 'platform/wrong.ts', text: "import '../projections/usage/rows.ts'" },
  { rule: 'platform-knows-no-business', file: 'platform/wrong.ts', text: "import '../capabilities/statement.ts'" },
]

const spellings = [
  "import type { Main } from '../gateway/main.ts'\nexport type M = Main",
  "import { type Main } from '../gateway/main.ts'\nexport type M = Main",
  "export { main } from '../gateway/main.ts'",
  "export * from '../gateway/main.ts'",
  "export const later = async () => (await import('../gateway/main.ts')).main",
  "export const use = async () => { await using main = await import('../gateway/main.ts') }",
]

const rulesBroken = async (files: Record<string, string>) => {
  using tree = plantTree({ ...installed, ...rightTree, ...files })
  const arrows = await readImportArrows(tree.root)
  return arrows.wrong.map(({ rule }) => rule)
}

describe('import arrows', () => {
  test('a tree with only allowed arrows passes, each module read', async () => {
    using tree = plantTree({ ...installed, ...rightTree })
    const arrows = await readImportArrows(tree.root)
    expect(arrows).toEqual({ modules: Object.keys(rightTree).length, unread: [], wrong: [] })
    expect(describeImportArrows(arrows).passed).toBe(true)
  })

  test.for(oneWay)('$rule catches $text in $file', async ({ rule, file, text }) => {
    expect(await rulesBroken({ [file]: `${text}\n` })).toContain(rule)
  })

  test('an import of a driver that is not installed is caught', async () => {
    using tree = plantTree({ 'services/gateway/wrong.ts': "import 'kafkajs'\n" })
    expect((await readImportArrows(tree.root)).wrong.map(({ rule }) => rule)).toEqual(['kafkajs-only-in-its-adapter'])
  })

  test.for(spellings)('an arrow counts however it is spelled: %s', async (text) => {
    expect(await rulesBroken({ 'services/backend/wrong.ts': `${text}\n` })).toEqual(['service-not-to-another-service'])
  })

  test('no-cycles catches two modules that import each other', async () => {
    const files = {
      'domain/left.ts': "import './right.ts'\n",
      'domain/right.ts': "import './left.ts'\n",
    }
    expect(await rulesBroken(files)).toContain('no-cycles')
  })

  test('a wrong arrow fails the check and is named with both ends and its rule', async () => {
    using tree = plantTree({ ...rightTree, 'domain/wrong.ts': "import '../services/backend/main.ts'\n" })
    const { passed, text } = describeImportArrows(await readImportArrows(tree.root))
    expect(passed).toBe(false)
    expect(text).toContain('domain/wrong.ts → services/backend/main.ts')
    expect(text).toContain('domain-not-to-its-left')
  })

  test('a check that read no module, or skipped one, fails', async () => {
    using tree = plantTree({ 'README.md': 'Nothing to read.\n' })
    expect(describeImportArrows(await readImportArrows(tree.root)).passed).toBe(false)
    expect(describeImportArrows({ modules: 3, unread: ['domain/decide.ts'], wrong: [] }).passed).toBe(false)
  })
})
