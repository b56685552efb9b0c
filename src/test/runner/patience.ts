import { vi } from 'vitest'

/** How long a test waits for a condition unless it says otherwise, as `expect.poll` does (`vitest.config.ts`). */
const patienceMs = 20_000

// By itself `vi.waitFor` gives up after a second, which a busy machine may need for one request.
const waitFor = vi.waitFor.bind(vi)
vi.waitFor = (check, options = { timeout: patienceMs }) => waitFor(check, options)
