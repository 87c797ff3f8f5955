import { describe, expect, test } from 'vitest'
import { pageText, type TextRun } from './pageText.ts'

/** A run of text whose letters are five points wide. */
const run = (str: string, x: number, y: number): TextRun => ({
  str,
  x,
  y,
  width: str.length * 5,
  height: 10,
  fontSize: 10,
})
const column = (x: number, from: number, ...texts: string[]) => texts.map((text, n) => run(text, x, from - 14 * n))

describe('the text of a page', () => {
  test('goes from top to bottom and from left to right, whatever the order in the file', () => {
    const runs = [run('below', 50, 700), run('right', 120, 720), run('left', 50, 720)]
    expect(pageText(runs)).toBe('left\tright\nbelow')
  })

  test('joins the pieces of a word and separates words', () => {
    expect(pageText([run('Exam', 50, 700), run('ple', 70, 700), run('text', 90, 700)])).toBe('Example text')
  })

  test('has one column after the other, below a title that spans both', () => {
    const left = column(50, 700, 'Contact', 'a@b.example', 'Skills', 'Go', 'SQL', 'C')
    const right = column(
      250,
      700,
      'Experience',
      'Engineer',
      'Acme Ltd',
      '2019 - 2020',
      'Built things.',
      'Ran them.',
      'Education',
      'BSc',
    )
    const title = run('A long title that runs across both of the columns', 50, 740)
    const text = pageText([...right, title, ...left])
    expect(text.split('\n')).toEqual([title.str, ...left.map(({ str }) => str), ...right.map(({ str }) => str)])
  })

  test('keeps a line that overflows its column apart from the other column', () => {
    const left = column(
      50,
      700,
      'Contact',
      'a-very-long-link-that-runs-into-the-next-column',
      'Skills',
      'Go',
      'SQL',
      'C',
    )
    const right = column(250, 700, 'Experience', 'Engineer', 'Acme Ltd', '2019', 'Built.', 'Ran.', 'Education', 'BSc')
    expect(
      pageText([...left, ...right])
        .split('\n')
        .slice(0, 7),
    ).toEqual([...left.map(({ str }) => str), 'Experience'])
  })

  test('keeps right-aligned dates on their lines', () => {
    const lines = Array.from({ length: 8 }, (_, n) => [
      run(`Title ${n}`, 50, 700 - 14 * n),
      run(`201${n}`, 500, 700 - 14 * n),
    ])
    expect(pageText(lines.flat()).split('\n')[3]).toBe('Title 3\t2013')
  })

  test('does not mistake an indented list for a column', () => {
    const runs = [
      ...column(50, 700, 'One', 'Two', 'Three', 'Four', 'Five'),
      ...column(64, 630, 'a', 'b', 'c', 'd', 'e', 'f'),
    ]
    expect(pageText(runs)).toBe('One\nTwo\nThree\nFour\nFive\na\nb\nc\nd\ne\nf')
  })

  test('is empty for an empty page', () => {
    expect(pageText([])).toBe('')
    expect(pageText([run('  ', 1, 1)])).toBe('')
  })
})
