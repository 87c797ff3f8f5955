import { writeFileSync } from 'node:fs'
import { GENERATED, graphqlTypes } from './graphql/types.ts'

writeFileSync(GENERATED, await graphqlTypes())
