import { expect, test } from 'vitest'
import { textOfMarkup } from './textOfMarkup.ts'

test.each([
  ['<p>Hi <b>there</b></p>', 'Hi there'],
  ['<p>Hi</p><script>alert(1)</script> you', 'Hi you'],
  ['<STYLE media="x">a{}</Style\n>text', 'text'],
  ['<styled>text</styled>', 'text'],
  ['one\n  <br>two', 'one\n two'],
  ['a <script>never closed', 'a'],
  ['a < b', 'a'],
  ['', ''],
])('the text of %j is %j', (markup, text) => {
  expect(textOfMarkup(markup)).toBe(text)
})

// Where the time grew with the square of the length, each of these took minutes.
test.each(['<', '<style ', '<script>', '<!--', '</style', '<a href="'])(
  'a megabyte of %j is read in one pass',
  (piece) => {
    expect(textOfMarkup(piece.repeat(1_000_000 / piece.length)).length).toBeLessThan(1_000_000)
  },
)
