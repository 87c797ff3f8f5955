import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../cases/anyCharacter.ts'
import { propertyRuns } from '../cases/propertyRuns.ts'

/** Values of a column type, written in the format that is tested, as the database reads them. */
export type ReadBack = (type: string, values: readonly unknown[]) => Promise<unknown[]>

/** The SQL expression that reads the column `value`. JSON numbers would lose digits of a bigint. */
export function readAsJson(type: string): string {
  return `to_jsonb(${type === 'bigint' ? 'value::text' : 'value'})`
}

/** Declares the tests of a text format in which values are written to the database. */
export function testReadBack(
  readBack: ReadBack,
  { text, jsonb }: { readonly text: readonly unknown[]; readonly jsonb: readonly unknown[] },
): void {
  test.each([
    ['text', text],
    ['jsonb', jsonb],
    ['bigint', ['9007199254740993', '-1', null]],
    ['boolean', [true, false, null]],
  ])('the database reads the same values back: %s', async (type, values) => {
    expect(await readBack(type, values)).toEqual(values)
  })

  test('the database reads any text back that a column can hold', async () => {
    const any = fc.string({ unit: anyCharacter, maxLength: 20 }).filter((value) => !value.includes('\0'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(any), { minLength: 1, maxLength: 20 }), async (values) => {
        expect(await readBack('text', values)).toEqual(values)
      }),
      { numRuns: propertyRuns({ few: 20, many: 100 }) },
    )
  })
}
