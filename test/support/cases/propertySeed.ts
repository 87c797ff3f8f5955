import fc from 'fast-check'

/**
 * The seed of every property that names none. `npm test` tries the same cases each time, so that a failure belongs to the
 * change under test; `npm run test:slow` draws a seed and prints it. fast-check adds the seed to each failure.
 */
const seed = Number(process.env.PROPERTY_SEED || 1)
if (!Number.isInteger(seed) || seed !== (seed | 0)) {
  throw new Error(`PROPERTY_SEED must be a whole number of 32 bits, not ${JSON.stringify(process.env.PROPERTY_SEED)}`)
}
fc.configureGlobal({ seed })
