import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOCUMENT_BYTES_MAX, DOCUMENT_TEXT_CHARS_MAX } from '../../../contracts/limits.ts'
import { callIdOf } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { whole } from '../../support/parties/scriptedProvider.ts'
import { zipOf } from '../../support/parties/zipFile.ts'
import { answering, EMPTY_CV, PARSE_CV, upload } from '../parsingRequests.ts'

let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness()
  gateway.provider.always(whole(answering(EMPTY_CV)))
})
afterAll(() => gateway.close())

const fixture = (path: string) => readFileSync(new URL(`../../fixtures/cvs/known/${path}`, import.meta.url))
const MB = 1024 * 1024

describe('a file', () => {
  test.each([
    ['a PDF', 'whitcombe.pdf', 'application/pdf'],
    ['a PDF of two columns', 'tanemori.pdf', ''],
    ['a DOCX', 'ferngrove.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a TXT', 'nwosu.txt', 'text/plain'],
    ['a file whose type the client does not know', 'nwosu.txt', 'application/octet-stream'],
  ])('is read: %s', async (_, name, type) => {
    const answer = await upload(gateway, PARSE_CV, [{ bytes: fixture(name), name, type }])
    expect(answer.status).toBe(200)
    const { content } = JSON.parse(gateway.provider.callOf(callIdOf(answer)).body.toString()).messages[1]
    const { name: who, experience } = JSON.parse(fixture(name.replace(/\.\w+$/, '.expected.json')).toString())
    expect(content).toContain(who)
    for (const { title, company, description } of experience) {
      for (const text of [title, company, description])
        expect(content.replace(/\s+/g, ' ')).toContain(text.split('. ')[0])
    }
  })

  test('of two columns is read one column after the other', async () => {
    const answer = await upload(gateway, PARSE_CV, [{ bytes: fixture('tanemori.pdf'), name: 'cv.pdf' }])
    const { content } = JSON.parse(gateway.provider.callOf(callIdOf(answer)).body.toString()).messages[1]
    expect(content).toMatch(/Language Skills\nJapanese \(native\)\nEnglish \(C1\)\n/)
    expect(content).toMatch(/\nUX Researcher\nHoshizora Games, /)
  })

  test('of exactly the limit is accepted, one byte more is 413', async () => {
    const text = Buffer.alloc(DOCUMENT_BYTES_MAX, ' ')
    // Refused for its text, not for its size.
    const taken = await upload(gateway, PARSE_CV, [{ bytes: text, name: 'cv.txt' }])
    expect([taken.status, taken.json.error.message]).toEqual([400, expect.stringMatching(/200,?000 characters/)])
    const refused = await upload(gateway, PARSE_CV, [
      { bytes: Buffer.concat([text, text.subarray(0, 1)]), name: 'cv.txt' },
    ])
    expect([refused.status, refused.json.error.code]).toEqual([413, 'INVALID_REQUEST'])
    const far = await upload(gateway, PARSE_CV, [{ bytes: Buffer.alloc(12 * MB), name: 'cv.txt' }])
    expect(far.status).toBe(413)
  })
})

describe('400 invalid_request_error INVALID_REQUEST, without a provider call or a charge', () => {
  const pdf = () => fixture('whitcombe.pdf')
  const docx = () => fixture('ferngrove.docx')
  const word = (xml: string) =>
    zipOf({
      '[Content_Types].xml':
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      '_rels/.rels':
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      'word/document.xml': xml,
    })
  const wordBody = (text: string) =>
    `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`

  test.each<[string, () => { bytes: Buffer | string; name?: string; type?: string; field?: string }[], RegExp]>([
    ['an empty file', () => [{ bytes: '' }], /file is empty/],
    ['a blank text', () => [{ bytes: ' \n ', name: 'cv.txt' }], /no text/],
    ['text called PDF', () => [{ bytes: 'Ada Example', name: 'cv.pdf' }], /not a PDF/],
    ['text called DOCX', () => [{ bytes: 'Ada Example', name: 'cv.docx' }], /not a DOCX/],
    ['a PDF called TXT', () => [{ bytes: pdf(), name: 'cv.txt' }], /not a TXT/],
    ['a PDF cut off', () => [{ bytes: pdf().subarray(0, 600) }], /damaged or cut off/],
    ['a PDF in name only', () => [{ bytes: '%PDF-1.7\nnothing more' }], /damaged or cut off/],
    ['an encrypted PDF', () => [{ bytes: fixture('locked.pdf') }], /encrypted/],
    ['a scan', () => [{ bytes: fixture('scanned.pdf') }], /no text: it is a scan/],
    ['a DOCX cut off', () => [{ bytes: docx().subarray(0, 20_000), name: 'cv.docx' }], /damaged or cut off/],
    ['a ZIP that is no DOCX', () => [{ bytes: zipOf({ 'a.txt': 'Ada' }), name: 'cv.docx' }], /not a Word document/],
    ['a DOCX without text', () => [{ bytes: word(wordBody('')), name: 'cv.docx' }], /no text/],
    [
      'a DOCX that unpacks to 80 MB',
      () => [{ bytes: word(wordBody('a'.repeat(80 * MB))), name: 'cv.docx' }],
      /too large when unpacked/,
    ],
    [
      'a DOCX that lies about its size',
      () => {
        const packed = deflateRawSync(Buffer.alloc(80 * MB))
        return [{ bytes: zipOf({ 'word/document.xml': { packed, statedBytes: 100 } }), name: 'cv.docx' }]
      },
      /too large when unpacked/,
    ],
    ['an old Word file', () => [{ bytes: Buffer.from('d0cf11e0a1b11ae100', 'hex'), name: 'cv.docx' }], /old \(DOC\)/],
    ['a picture', () => [{ bytes: 'x', name: 'cv.png', type: 'image/png' }], /type "png" is not supported/],
    ['bytes called TXT', () => [{ bytes: Buffer.from([1, 2, 3, 0, 255]), name: 'cv.txt' }], /not text/],
    ['too long a text', () => [{ bytes: 'a'.repeat(DOCUMENT_TEXT_CHARS_MAX + 1), name: 'cv.txt' }], /longer than/],
    ['two files', () => [{ bytes: pdf() }, { bytes: pdf() }], /'file' occurs more than once/],
    ['no file', () => [{ bytes: pdf(), field: 'document' }], /'file' is missing/],
    ['no part at all', () => [], /cannot be read|'file' is missing/],
  ])('%s', async (_, files, message) => {
    const before = gateway.provider.calls.length
    const answer = await upload(gateway, PARSE_CV, files())
    expect([answer.status, answer.json.error]).toEqual([
      400,
      { type: 'invalid_request_error', code: 'INVALID_REQUEST', message: expect.stringMatching(message) },
    ])
    expect(gateway.provider.calls).toHaveLength(before)
    expect(await gateway.eventsOf(callIdOf(answer))).toEqual([])
  })

  test.each([
    ['no body', '', 'application/json', /empty/],
    ['no JSON', '{"text"', 'application/json', /not valid JSON/],
    ['no text', '{}', 'application/json', /'text' is missing/],
    ['a text that is a number', '{"text":1}', 'application/json', /'text' must be a string/],
    ['a blank text', '{"text":" "}', 'application/json', /no text/],
    ['a form', 'text=Ada', 'application/x-www-form-urlencoded', /x-www-form-urlencoded" is not accepted/],
    ['a PDF as the body itself', '%PDF-1.7', 'application/pdf', /"application\/pdf" is not accepted/],
    ['multipart without a boundary', 'x', 'multipart/form-data', /cannot be read/],
    [
      'multipart that breaks off',
      '--b\r\nContent-Disposition: form',
      'multipart/form-data; boundary=b',
      /cannot be read/,
    ],
    [
      'a field that is no file',
      '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nAda\r\n--b--\r\n',
      'multipart/form-data; boundary=b',
      /must be a file/,
    ],
  ])('%s', async (_, body, contentType, message) => {
    const { status, json } = await gateway.call(PARSE_CV, {
      method: 'POST',
      body,
      headers: { 'content-type': contentType },
    })
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toMatch(message)
  })
})

test('415: a compressed body', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  expect((await gateway.call(PARSE_CV, { body: 'x', headers })).status).toBe(415)
})
