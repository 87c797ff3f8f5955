import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readRevision } from './revision.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

const head = 'ref: refs/heads/main\n'
test.each<[string, Record<string, string>]>([
  ['the file of an image', { revision: `${COMMIT}\n` }],
  ['a branch', { '.git/HEAD': head, '.git/refs/heads/main': `${COMMIT}\n` }],
  ['a packed branch', { '.git/HEAD': head, '.git/packed-refs': `# pack-refs\n${COMMIT} refs/heads/main\n` }],
  ['a detached head', { '.git/HEAD': `${COMMIT}\n` }],
  [
    'a worktree',
    {
      '.git': 'gitdir: of/worktrees/one\n',
      'of/worktrees/one/HEAD': head,
      'of/worktrees/one/commondir': '../..\n',
      'of/refs/heads/main': `${COMMIT}\n`,
    },
  ],
])('the revision is read from %s', async (_, files) => {
  expect(readRevision(await folderWith(files))).toBe(COMMIT)
})

test.each<[string, Record<string, string>]>([
  ['without either', {}],
  ['of a branch without commits', { '.git/HEAD': head }],
  ['of something else than a commit', { '.git/HEAD': 'x' }],
])('the revision of a folder %s is unknown', async (_, files) => {
  expect(readRevision(await folderWith(files))).toBe('unknown')
})
