import type { JobContext } from '../../core/define/job.ts'
import type { Assistant } from './turns/assistant.ts'

export const assistantFor = (_: JobContext): Assistant =>
  async function* () {
    yield { say: 'Hello.' }
  }
