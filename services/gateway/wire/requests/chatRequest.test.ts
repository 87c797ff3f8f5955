import { describe, expect, it } from 'vitest'
import { readChatRequest } from './chatRequest.ts'

const withMessages = (messages: string) => readChatRequest(Buffer.from(`{"model":"smart","messages":${messages}}`))

describe('readChatRequest', () => {
  it.each([
    '[{"role":"user","content":"hi"}]',
    '[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}]',
    '[{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","tool_call_id":"1","content":"x"}]',
    '[{"role":"assistant","tool_calls":[]}]',
  ])('accepts %s', (messages) => {
    const request = withMessages(messages)
    expect(request).toMatchObject({ model: 'smart' })
    expect('refused' in request ? '' : request.forwardedAs('x').toString()).toBe(`{"model":"x","messages":${messages}}`)
  })

  it.each([
    ['null', "'messages' must be an array."],
    ['"hi"', "'messages' must be an array."],
    ['{"0":{"role":"user"}}', "'messages' must be an array."],
    ['[]', "'messages' must not be empty."],
    ['[{"role":"user"},"hi"]', "'messages[1]' must be an object."],
    ['[[]]', "'messages[0]' must be an object."],
    ['[null]', "'messages[0]' must be an object."],
    ['[{"content":"hi"}]', "'messages[0].role' must be a string."],
    ['[{"role":1,"content":"hi"}]', "'messages[0].role' must be a string."],
    ['[{"role":"user","content":1}]', "'messages[0].content' must be a string, an array or null."],
    ['[{"role":"user","content":{}}]', "'messages[0].content' must be a string, an array or null."],
  ])('refuses %s', (messages, refused) => {
    expect(withMessages(messages)).toEqual({ refused })
  })

  it('refuses a body without messages, and what every endpoint refuses', () => {
    expect(readChatRequest(Buffer.from('{"model":"smart"}'))).toEqual({ refused: "'messages' is missing." })
    expect(readChatRequest(Buffer.from('{"messages":[]}'))).toEqual({ refused: "'model' is missing." })
  })

  it('counts images, and documents, recordings and videos as documents', () => {
    const parts = (...content: object[]) => withMessages(JSON.stringify([{ role: 'user', content }]))
    expect(parts({ type: 'text', text: 'a file' })).toMatchObject({ images: 0, files: 0 })
    expect(
      parts(
        { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
        { type: 'video_url', video_url: { url: 'https://x.example/a.mp4' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
      ),
    ).toMatchObject({ images: 1, files: 3 })
    expect(parts({ type: 'VIDEO_URL', url: 'https://x.example/a.mp4' })).toMatchObject({ files: 1 })
    for (const name of ['audio_url', 'document_url', 'input_video', 'video']) {
      expect(parts({ type: name }, { [name]: { url: 'https://x.example/a' } })).toMatchObject({ files: 2 })
    }
  })

  it.each<[string, object]>([
    ['messages[0].content[0].file.file_id', { content: [{ type: 'file', file: { file_id: 'file-1' } }] }],
    ['messages[0].content[0].file_id', { content: [{ type: 'file', file_id: 'file-1' }] }],
    ['messages[0].content[0].file.FILE_ID', { content: [{ type: 'file', file: { FILE_ID: 'file-1' } }] }],
    ['messages[0].content[0].File', { content: [{ type: 'file', File: { file_data: 'x' } }] }],
    ['messages[0].audio.id', { role: 'assistant', audio: { id: 'audio_1' } }],
    ['messages[0].audio.Id', { role: 'assistant', audio: { Id: 'audio_1' } }],
    ['messages[0].Audio', { role: 'assistant', Audio: { id: 'audio_1' } }],
  ])("refuses '%s', which is stored at a provider", (path, message) => {
    const refused = expect.stringContaining(`'${path}' is`)
    expect(withMessages(JSON.stringify([{ role: 'user', ...message }]))).toEqual({ refused })
  })

  it.each<[string, object]>([
    ['audio.voice.id', { audio: { voice: { id: 'voice_1' }, format: 'wav' } }],
    ['tools[0].vector_store_ids', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    ['extra_body.google.cached_content', { extra_body: { google: { cached_content: 'cachedContents/1' } } }],
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: { id: 'conv_1' } }],
    ['cachedContent', { cachedContent: 'cachedContents/1' }],
    ['file_ids', { file_ids: ['file-1'] }],
  ])("refuses the field '%s', too", (path, fields) => {
    const body = Buffer.from(JSON.stringify({ model: 'a', messages: [{ role: 'user' }], ...fields }))
    expect(readChatRequest(body)).toEqual({ refused: expect.stringContaining(`'${path}' is not accepted`) })
  })

  it('refuses a member that occurs twice at any depth, of which a provider might read the other one', () => {
    const parts = '[{"type":"file","file":{"file_id":"file-1"},"file":{"file_data":"x"}}]'
    expect(withMessages(`[{"role":"user","content":${parts}}]`)).toEqual({
      refused: "'messages[0].content[0].file' occurs more than once; send it once.",
    })
    for (const [path, field] of [
      ['audio.voice', '"audio":{"voice":{"id":"voice_1"},"voice":"alloy"}'],
      ['extra_body.google', '"extra_body":{"google":{"cached_content":"x"},"google":{}}'],
    ]) {
      const body = Buffer.from(`{"model":"smart","messages":[{"role":"user"}],${field}}`)
      expect(readChatRequest(body)).toEqual({ refused: `'${path}' occurs more than once; send it once.` })
    }
  })

  it.each<[string, object]>([
    ['arguments', { messages: [{ role: 'assistant', tool_calls: [{ function: { arguments: '{"file_id":"x"}' } }] }] }],
    [
      'a schema',
      { tools: [{ type: 'function', function: { parameters: { properties: { file_id: {}, Type: {} } } } }] },
    ],
    ['metadata', { metadata: { file_id: 'x', id: 'y' } }],
    ['ids of other things', { messages: [{ role: 'assistant', id: 'msg_1', tool_calls: [{ id: 'call_1' }] }] }],
    ['absent ids', { messages: [{ role: 'assistant', audio: null, content: [{ file: { file_id: null } }] }] }],
    ['a voice by its name', { audio: { voice: 'alloy', format: 'wav' }, conversation: null }],
  ])('accepts %s with such names', (_, fields) => {
    const body = Buffer.from(JSON.stringify({ model: 'a', messages: [{ role: 'user' }], ...fields }))
    expect(readChatRequest(body)).not.toHaveProperty('refused')
  })
})
