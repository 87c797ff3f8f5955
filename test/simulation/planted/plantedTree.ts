import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Throws with the reason if a patch does not apply to the tree. */
export function requireApplies(patch: string, root: string = ROOT): void {
  execFileSync('git', ['apply', '--check', patch], { cwd: root, stdio: 'pipe', encoding: 'utf8' })
}

/** A copy of the tree, with a patch if one is given, which is removed when its scope ends. It shares the packages. */
export function copyTree(patch: string | null = null): { readonly root: string } & Disposable {
  if (patch !== null) requireApplies(patch)
  const root = mkdtempSync(join(tmpdir(), 'tollgate-simulation-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    cpSync(join(ROOT, file), join(root, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  if (patch !== null) execFileSync('git', ['apply', patch], { cwd: root, stdio: 'pipe' })
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
