import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GENERATED, graphqlTypes } from '../../../scripts/graphql/types.ts'

test('the types are those of the schema as it is now: run "npm run graphql:types"', async () => {
  expect(readFileSync(GENERATED, 'utf8')).toBe(await graphqlTypes())
})
