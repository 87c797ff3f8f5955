/** All chunks as one buffer. A single chunk, which most bodies are, is not copied. */
export function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}
