export type ByteEdit = { readonly start: number; readonly end: number; readonly text: string }

/** The bytes with each span [start, end) replaced by its text. The edits come in ascending order and do not overlap. */
export function withEdits(source: Buffer, edits: readonly ByteEdit[]): Buffer {
  let length = source.length
  for (const edit of edits) length += Buffer.byteLength(edit.text) - (edit.end - edit.start)
  const edited = Buffer.allocUnsafe(length)
  let from = 0
  let to = 0
  for (const edit of edits) {
    if (edit.start < from || edit.end < edit.start) throw new RangeError(`The edit at byte ${edit.start} overlaps`)
    to += source.copy(edited, to, from, edit.start)
    to += edited.write(edit.text, to)
    from = edit.end
  }
  source.copy(edited, to, from)
  return edited
}

/** The edits that remove elements of an array, with their commas. At least one is removed. */
export function withoutElements(
  spans: readonly { readonly start: number; readonly end: number }[],
  isRemoved: (position: number) => boolean,
): ByteEdit[] {
  const edits: ByteEdit[] = []
  let from: number | null = null
  let keptEnd: number | null = null
  for (const [position, { start, end }] of spans.entries()) {
    if (isRemoved(position)) {
      from ??= start
      continue
    }
    if (from !== null) edits.push({ start: from, end: start, text: '' })
    from = null
    keptEnd = end
  }
  if (from !== null) edits.push({ start: keptEnd ?? from, end: spans.at(-1)?.end ?? from, text: '' })
  return edits
}
