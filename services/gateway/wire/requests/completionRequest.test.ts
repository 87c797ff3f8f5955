import { describe, expect, it } from 'vitest'
import { CHOICES_MAX, PROMPTS_MAX } from '../../../../contracts/limits.ts'
import { readCompletionRequest } from './completionRequest.ts'

const read = (fields: string) => readCompletionRequest(Buffer.from(`{"model":"smart",${fields}}`))

describe('readCompletionRequest', () => {
  it.each([
    '"prompt":"Once"',
    '"prompt":["Once","upon"]',
    '"prompt":[1,2,3]',
    '"prompt":[[1],[2,3]]',
    '"prompt":null',
    '"prompt":"","suffix":"end","logprobs":5,"echo":true,"stop":["\\n"],"best_of":2',
  ])('accepts %s, and leaves it as it is', (fields) => {
    const request = read(fields)
    expect(request).toMatchObject({ model: 'smart', stream: false })
    expect('refused' in request ? '' : request.forwardedAs('x').toString()).toBe(`{"model":"x",${fields}}`)
  })

  it.each([
    ['one prompt', '"prompt":"a"', 1, 1],
    ['nulls', '"prompt":null,"n":null,"best_of":null', 1, 1],
    ['choices of one prompt', '"prompt":"a","n":3', 3, 3],
    ['choices of each prompt', '"prompt":["a","b"],"n":3', 6, 6],
    ['one prompt in tokens', '"prompt":[1,2,3,4],"n":2', 2, 2],
    ['several in tokens', '"prompt":[[1],[2],[3]],"n":2', 6, 6],
    ['the best of more', '"prompt":["a","b"],"n":2,"best_of":5', 4, 10],
    ['a best_of below n, which the provider may judge', '"prompt":"a","n":3,"best_of":2', 3, 3],
  ])('counts %s', (_, fields, n, generated) => {
    expect(read(fields)).toMatchObject({ n, generated })
  })

  it('allows scoring a prompt without generating tokens', () => {
    expect(read('"prompt":"a","max_tokens":0,"echo":true,"logprobs":1')).toMatchObject({ maxTokens: 0 })
    expect(read('"prompt":"a","max_tokens":-1')).toEqual({ refused: "'max_tokens' must be an integer of 0 or more." })
  })

  it.each([
    ['"user":"x"', "'prompt' is missing."],
    ['"prompt":7', "'prompt' must be a string or an array."],
    ['"prompt":["a",1]', "'prompt[1]' must be a string, as 'prompt[0]' is."],
    ['"prompt":"a","best_of":0', "'best_of' must be a positive integer."],
    ['"prompt":"a","best_of":"2"', "'best_of' must be a positive integer."],
    [`"prompt":"a","best_of":${CHOICES_MAX + 1}`, `'best_of' must be at most ${CHOICES_MAX}.`],
    ['"prompt":"a","n":0', "'n' must be a positive integer."],
    ['"prompt":"a","pr\\u006fmpt":["b","c"]', "'prompt' occurs more than once; send it once."],
    ['"prompt":"a","best_of":1,"best_of":2', "'best_of' occurs more than once; send it once."],
    ['"prompt":"a","Prompt":"b"', "'prompt' is written in another case; write it exactly so."],
    ['"prompt":"a","model":"b"', "'model' occurs more than once; send it once."],
  ])('refuses %s', (fields, refused) => {
    expect(read(fields)).toEqual({ refused })
  })

  it('has a limit on prompts', () => {
    const prompts = (count: number) => `"prompt":${JSON.stringify(Array(count).fill(''))}`
    expect(read(prompts(PROMPTS_MAX))).toMatchObject({ n: PROMPTS_MAX })
    expect(read(prompts(PROMPTS_MAX + 1))).toEqual({ refused: "'prompt' must hold at most 2048 prompts." })
  })
})
