import { type CodeBlock, readMarkdown } from '../docs/markdown.ts'

export const GUIDE = 'docs/clients.md'

export type Package = { readonly name: string; readonly version: string }

/** A client of others, as its section of the guide sets it up. */
export type DocumentedClient = {
  readonly name: string
  /** Who installs it, and what: names with exact versions. */
  readonly installer: 'pip' | 'npm'
  readonly packages: readonly Package[]
  readonly program: CodeBlock
}

/** Every section that has a block to run. */
export function documentedClients(): DocumentedClient[] {
  const { blocks } = readMarkdown(GUIDE)
  return blocks
    .filter(({ runs }) => runs)
    .map((program) => {
      const name = program.section
      const command = blocks.find(({ section, runs }) => section === name && !runs)?.text ?? ''
      const [, installer] = /^(pip|npm) install /.exec(command) ?? []
      if (installer !== 'pip' && installer !== 'npm')
        throw new Error(`${GUIDE}: "${name}" does not say how to install it`)
      return { name, installer, packages: packagesOf(command), program }
    })
}

/** pip writes `name[extra]==1.2`, npm `name@1.2`. */
function packagesOf(command: string): Package[] {
  const named = command.matchAll(/(@?[a-z][\w./-]*)(?:\[[\w,]+\])?(?:==|@)(\d[\w.]*)/g)
  return [...named].map(([, name = '', version = '']) => ({ name, version }))
}

/** The name of the file that pins what a client of pip needs. */
export function fileNameOf({ name }: DocumentedClient): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
