import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import type { Statement, VariableDeclarator } from '@swc/core'
import { Visitor } from '@swc/core/Visitor.js'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'

const visitStatement = Visitor.prototype.visitStatement

export type WrongArrow = { rule: string; from: string; to: string; why: string }
export type ImportArrows = { modules: number; unread: string[]; wrong: WrongArrow[] }

const repository = path.resolve(import.meta.dirname, '../..')
const folders = [
  'check',
  'contracts',
  'domain',
  'projections',
  'platform',
  'capabilities',
  'services',
  'console',
  'scripts',
  'bench',
  'test',
]

/** Reads the imports of every module under `root`, which is laid out like this repository. */
export async function readImportArrows(root: string): Promise<ImportArrows> {
  const present = folders.filter((folder) => existsSync(path.join(root, folder)))
  const files = present.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root }))
  if (files.length === 0) return { modules: 0, unread: [], wrong: [] }

  const options = await extractDepcruiseOptions(path.join(repository, '.dependency-cruiser.mjs'))
  const { output } = await cruise(present, { ...options, baseDir: root })
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with text: ${output.slice(0, 200)}`)

  const read = new Set(output.modules.map((module) => module.source))
  const reasons = new Map(output.summary.ruleSetUsed?.forbidden?.map((rule) => [rule.name, rule.comment]))
  return {
    modules: files.filter((file) => read.has(file)).length,
    // Without a TypeScript parser, dependency-cruiser silently skips the files.
    unread: files.filter((file) => !read.has(file)),
    wrong: output.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
      why: reasons.get(rule.name) ?? '',
    })),
  }
}

export function describeImportArrows({ modules, unread, wrong }: ImportArrows): { passed: boolean; text: string } {
  const faults = [
    ...wrong.map(({ rule, from, to, why }) => `${from} → ${to}\n    ${rule}: ${why}`),
    ...unread.map((file) => `${file} was not read: is @swc/core installed?`),
    ...(modules === 0 ? ['no module was read, so nothing was checked'] : []),
  ]
  if (faults.length === 0) return { passed: true, text: `${modules} modules, every import points the right way` }
  return { passed: false, text: faults.map((fault) => `  ${fault}`).join('\n') }
}

// The visitor of dependency-cruiser throws on `using`, which swc itself parses but its types lack.
Visitor.prototype.visitStatement = function (this: Visitor, statement: Statement): Statement {
  const { type, decls } = statement as { type: string; decls?: VariableDeclarator[] }
  if (type !== 'UsingDeclaration' || decls === undefined) return visitStatement.call(this, statement)
  this.visitVariableDeclarators(decls)
  return statement
}
