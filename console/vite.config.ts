import { defineConfig } from 'vite'

/** Where Vite's development server finds the backend. */
const BACKEND = process.env.BACKEND_URL ?? 'http://127.0.0.1:4001'

/** What the backend serves beside the console. */
const SERVED_BY_BACKEND = ['/graphql', '/session', '/log', '/payments', '/statements', '/health']

export default defineConfig({
  root: import.meta.dirname,
  // The document's policy forbids inline scripts and styles, and data: addresses.
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    emptyOutDir: true,
    // Sizes are checked by a test.
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(SERVED_BY_BACKEND.map((path) => [path, { target: BACKEND, ws: true }])),
  },
  oxc: { jsx: { runtime: 'automatic' } },
})
