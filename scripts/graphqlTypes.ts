import { writeFileSync } from 'node:fs'
import { CONSOLE_GENERATED, consoleTypes } from './graphql/consoleTypes.ts'
import { GENERATED, graphqlTypes } from './graphql/types.ts'

writeFileSync(GENERATED, await graphqlTypes())
writeFileSync(CONSOLE_GENERATED, await consoleTypes())
