import fc from 'fast-check'

export type StoriesOptions = { readonly numRuns: number; readonly msMax: number }

/**
 * Tries stories until the time is over, and finishes the last one: fast-check's own limit would leave it running while the
 * test closes what it uses.
 */
export async function tryStories<Story>(
  stories: fc.Arbitrary<Story>,
  endsRight: (story: Story) => Promise<void>,
  { numRuns, msMax }: StoriesOptions,
): Promise<void> {
  const endMs = performance.now() + msMax
  const inTime = async (story: Story) => (performance.now() < endMs ? endsRight(story) : undefined)
  await fc.assert(fc.asyncProperty(stories, inTime), { numRuns })
}
