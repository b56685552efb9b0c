import { defineConfig } from 'vitest/config'

/** Files that change what others would share (modules, the process), or measure it, and those that run for long. */
const alone = ['src/test/scenarios/**/*.test.ts', 'src/test/sweeps/fields.test.ts']

const everywhere = {
  setupFiles: ['src/test/runner/file-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    globalSetup: ['src/test/runner/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      { test: { ...everywhere, name: 'together', include: ['src/**/*.test.ts'], exclude: alone, isolate: false } },
      { test: { ...everywhere, name: 'alone', include: alone } },
    ],
  },
})
