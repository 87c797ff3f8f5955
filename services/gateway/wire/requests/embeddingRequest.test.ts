import { describe, expect, it } from 'vitest'
import { readEmbeddingRequest } from './embeddingRequest.ts'

const read = (fields: string) => readEmbeddingRequest(Buffer.from(`{"model":"vectors",${fields}}`))

describe('readEmbeddingRequest', () => {
  it.each([
    '"input":"Hello"',
    '"input":["Hello","there"],"encoding_format":"base64","dimensions":256',
    '"input":[1,2,3]',
    '"input":[[1],[2,3]]',
    '"input":"Hello","stream":false,"input_type":"query"',
  ])('accepts %s, and leaves it as it is', (fields) => {
    const request = read(fields)
    expect(request).toMatchObject({ model: 'vectors', stream: false, maxTokens: 0 })
    expect('refused' in request ? '' : request.forwardedAs('x').toString()).toBe(`{"model":"x",${fields}}`)
  })

  it.each([
    ['"user":"x"', "'input' is missing."],
    ['"input":null', "'input' must be a string or an array."],
    ['"input":[]', "'input' must not be empty."],
    ['"input":[1,"a"]', "'input[1]' must be a token: an integer of 0 or more."],
    ['"input":"a","stream":true', "'stream' must not be true: embeddings are not streamed."],
    ['"input":"a","stream":1', "'stream' must be a boolean."],
    ['"input":"a","model":"b"', "'model' occurs more than once; send it once."],
  ])('refuses %s', (fields, refused) => {
    expect(read(fields)).toEqual({ refused })
  })
})
