/** What `npm test` leaves to `npm run test:engines`, which has more time: everybody runs the first before each commit. */
export const LONG_TESTS = ['test/commands/backup.test.ts', 'scripts/restore/restoreEvents.test.ts']
