import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export type PlantedTree = { root: string } & Disposable

/** Writes files, given by their path and text, into a folder of their own that goes when its scope ends. */
export function plantTree(files: Record<string, string>): PlantedTree {
  const root = mkdtempSync(path.join(tmpdir(), 'tollgate-planted-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
