import { defineConfig } from 'vitest/config'

/** Files that replace modules or change the process, which others would share; that measure it; or that run for long. */
const alone = ['src/test/scenarios/**/*.test.ts', 'src/test/sweeps/fields.test.ts']

const fsModuleCachePath = '.cache/vitest'

const everywhere = {
  setupFiles: ['src/test/runner/file-setup.ts'],
  // A test that hangs fails; how quick the product must be is asserted in the tests themselves.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // `npm test -- <word>` keeps transformed modules for the next run, by their content; the full check does not.
  experimental: { fsModuleCache: process.env.KONTOR_TEST_CACHE === '1', fsModuleCachePath },
}

export default defineConfig({
  test: {
    globalSetup: ['src/test/runner/global-setup.ts'],
    maxWorkers: 2,
    experimental: { fsModuleCachePath },
    projects: [
      { test: { ...everywhere, name: 'together', include: ['src/**/*.test.ts'], exclude: alone, isolate: false } },
      { test: { ...everywhere, name: 'alone', include: alone } },
    ],
  },
})
