import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { runVitest, type VitestOutcome } from '../../scripts/test/runVitest.ts'
import { plantTree } from './plantedTree.ts'

const installed = path.resolve(import.meta.dirname, '../../node_modules')

/** Runs vitest on a tree of these files, as the test commands do. */
export async function runPlanted(files: Record<string, string>): Promise<VitestOutcome> {
  using tree = plantTree({ 'package.json': '{ "type": "module" }', ...files })
  symlinkSync(installed, path.join(tree.root, 'node_modules'))
  return await runVitest({ root: tree.root, filters: [], output: 'ignore' })
}

export const testFile = (...lines: string[]) =>
  ["import { beforeAll, describe, expect, test } from 'vitest'", ...lines].join('\n')

export const PASSING_TEST = "test('holds', () => {})"
