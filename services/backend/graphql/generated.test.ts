import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CONSOLE_GENERATED, consoleTypes } from '../../../scripts/graphql/consoleTypes.ts'
import { GENERATED, graphqlTypes } from '../../../scripts/graphql/types.ts'

test('the generated types match the schema; if not, run "npm run graphql:types"', async () => {
  expect(readFileSync(GENERATED, 'utf8')).toBe(await graphqlTypes())
})

test('the types of the console\'s operations match them; if not, run "npm run graphql:types"', async () => {
  expect(readFileSync(CONSOLE_GENERATED, 'utf8')).toBe(await consoleTypes())
})
