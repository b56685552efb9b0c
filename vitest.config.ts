import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that replace modules (vi.mock), which others would share, or that need much memory. */
const alone = ['src/test/sweeps/fields.test.ts', 'src/test/receipts/read.test.ts']

/** Files that run for long begin first, so that no worker is left with one at the end; the others go by their size. */
const isLong = ({ moduleId }: TestSpecification) =>
  /\/src\/(test|demo|backup|verify|db\/embedded)\/|\/mcp\/(differential|stdio)|\.browser\.test\.ts$/.test(moduleId)

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

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
    sequence: { sequencer: LongFirst },
    experimental: { fsModuleCachePath },
    projects: [
      {
        test: {
          ...everywhere,
          name: 'together',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: alone,
          isolate: false,
        },
      },
      { test: { ...everywhere, name: 'alone', include: alone } },
    ],
  },
})
