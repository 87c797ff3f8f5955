/**
 * The paths of the console's pages, as its router has them (`console/src/router.tsx`; a test compares the two).
 * All of them answer with the same document, and no other path does.
 */
export const CONSOLE_PAGES = [
  '/',
  '/sign-in',
  '/forgotten-password',
  '/console/invitation',
  '/console/reset-password',
  '/keys',
  '/calls',
  '/calls/:id',
  '/usage',
  '/companies',
  '/prices',
  '/statement',
  '/trail',
  '/models',
  '/setup',
  '/operations',
  '/billing',
  '/people',
] as const
