import { describe, expect, test } from 'vitest'
import { GRAPHQL_FILE_PATHS_MAX, GRAPHQL_FILES_MAX, uploadedOperations } from './uploads.ts'

const TYPE = 'multipart/form-data; boundary=x'

function bodyOf(operations: unknown, map: unknown, files: Readonly<Record<string, string>> = { 0: 'Ada' }): Buffer {
  const part = (disposition: string, text: string) =>
    `--x\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`
  const sent = Object.entries(files).map(([name, text]) => part(`name="${name}"; filename="cv.txt"`, text))
  const fields = [
    part('name="operations"', JSON.stringify(operations)),
    ...(map === undefined ? [] : [part('name="map"', JSON.stringify(map))]),
  ]
  return Buffer.from(`${fields.join('')}${sent.join('')}--x--\r\n`)
}

describe('files are put where the variables have null', () => {
  test('one file in one place', async () => {
    const read = uploadedOperations(bodyOf({ query: 'q', variables: { file: null } }, { 0: ['variables.file'] }), TYPE)
    const { file } = (read as { variables: { file: File } }).variables
    expect({ name: file.name, text: await file.text() }).toEqual({ name: 'cv.txt', text: 'Ada' })
  })

  test('in lists and inputs', () => {
    const operations = { query: 'q', variables: { files: [null, null], input: { file: null } } }
    const map = { 0: ['variables.files.1', 'variables.input.file'], 1: ['variables.files.0'] }
    expect(uploadedOperations(bodyOf(operations, map, { 0: 'Ada', 1: 'Bob' }), TYPE)).toMatchObject({
      variables: { files: [expect.any(File), expect.any(File)], input: { file: expect.any(File) } },
    })
  })

  test('in a batch', () => {
    const batch = [{ query: 'q' }, { query: 'q', variables: { file: null } }]
    expect(uploadedOperations(bodyOf(batch, { 0: ['1.variables.file'] }), TYPE)).toMatchObject([
      {},
      { variables: { file: expect.any(File) } },
    ])
  })
})

describe('a path that does not lead to a null of the variables is refused', () => {
  const long = 'x'.repeat(200)
  const operations = { query: null, variables: { i: { requirements: [], title: 'x', file: null }, [long]: null } }
  test.each([
    ['an element far behind the end of a list', 'variables.i.requirements.4294967294'],
    ['the first element of an empty list', 'variables.i.requirements.0'],
    ['the length of a list', 'variables.i.requirements.length'],
    ['an object that does not exist', 'variables.a.b.c'],
    ['a member that does not exist', 'variables.i.fil'],
    ['a value that is set', 'variables.i.title'],
    ['a member of a text', 'variables.i.title.0'],
    ['the prototype', 'variables.__proto__.file'],
    ['the null behind the prototype', 'variables.__proto__.__proto__'],
    ['a null outside of the variables', 'query'],
    ['the variables themselves', 'variables'],
    ['an empty path', ''],
    ['a very long path', `variables.${long}`],
    ['a number', 0],
    ['a list', ['variables']],
  ])('%s', (_, path) => {
    expect(() => uploadedOperations(bodyOf(operations, { 0: [path] }), TYPE)).toThrow(/does not lead to a null/)
  })

  test('a place that has a file already', () => {
    const map = { 0: ['variables.i.file', 'variables.i.file'] }
    expect(() => uploadedOperations(bodyOf(operations, map), TYPE)).toThrow(/does not lead to a null/)
  })
})

test('a request has a limited number of files', () => {
  const operations = { query: 'q', variables: { file: null } }
  const filesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [n, 'Ada']))
  const read = (count: number) =>
    uploadedOperations(bodyOf(operations, { 0: ['variables.file'] }, filesOf(count)), TYPE)
  expect(read(GRAPHQL_FILES_MAX)).toMatchObject({ variables: { file: expect.any(File) } })
  expect(() => read(GRAPHQL_FILES_MAX + 1)).toThrow('at most 10 files')
})

describe('a body that does not follow the specification is refused', () => {
  const operations = { query: 'q', variables: { file: null } }
  test.each([
    ['without operations', bodyOf(undefined, {}), /operations must hold JSON/],
    ['operations that are null', bodyOf(null, {}), /operations must hold JSON/],
    ['operations that are a text', bodyOf('q', {}), /operations must hold JSON/],
    ['without a map', bodyOf(operations, undefined), /no field map/],
    ['a map of texts', bodyOf(operations, { 0: 'variables.file' }), /list of paths/],
    ['a file that is not there', bodyOf(operations, { 7: ['variables.file'] }), /no file "7"/],
    ['a plain field as a file', bodyOf(operations, { map: ['variables.file'] }), /no file "map"/],
    ['too many places', bodyOf(operations, { 0: Array(GRAPHQL_FILE_PATHS_MAX + 1).fill('a') }), /at most 20 places/],
  ])('%s', (_, body, message) => {
    expect(() => uploadedOperations(body, TYPE)).toThrow(message)
  })
})
