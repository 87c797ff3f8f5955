import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildASTSchema, parse, visit } from 'graphql'
import { SDL, TYPES_CONFIG } from './schemaText.ts'

const SOURCES = new URL('../../console/src/', import.meta.url)
/** An operation's text includes its fragments, so none is sent alone, and the bundle would contain each of these. */
const FRAGMENT_DOCUMENTS = /^export const \w+FragmentDoc = [^;]*;\n/gm
export const CONSOLE_GENERATED = new URL('graphql/generated.ts', SOURCES)

/** The types of the console's operations, which are in `.graphql` files next to the pages that use them. */
export async function consoleTypes(): Promise<string> {
  // The preset writes descriptions in spite of the setting that disables them.
  const schema = visit(parse(readFileSync(SDL, 'utf8')), { enter: (node) => ({ ...node, description: undefined }) })
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: 'generated/',
    schema,
    schemaAst: buildASTSchema(schema),
    documents: operations(),
    config: {
      ...TYPES_CONFIG,
      // A request needs only the text of an operation, so the bundle has no GraphQL parser.
      documentMode: 'string',
    },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
    pluginContext: {},
    documentTransforms: [],
  })
  const section = sections.find(({ filename }) => filename.endsWith('graphql.ts'))
  if (!section) throw new Error('the client preset generates no graphql.ts')
  return (await codegen(section)).replaceAll(FRAGMENT_DOCUMENTS, '')
}

function operations() {
  const folder = fileURLToPath(SOURCES)
  return globSync('**/*.graphql', { cwd: folder })
    .toSorted()
    .map((location) => {
      const rawSDL = readFileSync(new URL(location, SOURCES), 'utf8')
      return { location, rawSDL, document: parse(rawSDL) }
    })
}
