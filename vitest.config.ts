import { availableParallelism } from 'node:os'
import { availableMemory } from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that replace modules (vi.mock), which others would share, or that need much memory. */
const ownModules = ['src/test/sweeps/success.test.ts', 'src/test/receipts/read.test.ts']

/** Files that need the machine for themselves: they run after the others, one at a time. */
const wholeMachine: string[] = []

/**
 * Three workers for two cores: for a fourth of its time a worker waits for processes and browsers that tests start. No more
 * than there is memory for: each needs this much with its part of PostgreSQL and Chromium.
 */
const memoryOfWorker = 1.5 * 2 ** 30
const wanted = Math.ceil(1.5 * availableParallelism())
const maxWorkers = Math.max(1, Math.min(wanted, Math.floor(availableMemory() / memoryOfWorker)))

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
  // A second, the default, is too short for a request on a busy machine; vi.waitFor waits as long (patience.ts).
  expect: { poll: { timeout: 20_000 } },
  // `npm test -- <word>` keeps transformed modules for the next run, by their content; the full check does not.
  experimental: { fsModuleCache: process.env.KONTOR_TEST_CACHE === '1', fsModuleCachePath },
}

export default defineConfig({
  test: {
    globalSetup: ['src/test/runner/global-setup.ts'],
    maxWorkers,
    sequence: { sequencer: LongFirst },
    experimental: { fsModuleCachePath },
    projects: [
      {
        test: {
          ...everywhere,
          name: 'together',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: [...ownModules, ...wholeMachine],
          isolate: false,
        },
      },
      { test: { ...everywhere, name: 'own modules', include: ownModules } },
      {
        test: {
          ...everywhere,
          name: 'whole machine',
          include: wholeMachine,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
