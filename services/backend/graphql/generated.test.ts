import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GENERATED, graphqlTypes } from '../../../scripts/graphql/types.ts'

test('the generated types match the schema; if not, run "npm run graphql:types"', async () => {
  expect(readFileSync(GENERATED, 'utf8')).toBe(await graphqlTypes())
})
