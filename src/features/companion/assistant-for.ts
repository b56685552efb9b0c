import type { JobContext } from '../../core/define/job.ts'
import { modelAssistant } from './model/assistant.ts'
import type { Assistant } from './turns/assistant.ts'

/** The language model of the installation, or the built-in assistant if none is configured. */
export const assistantFor = ({ conversation }: JobContext): Assistant =>
  conversation ? modelAssistant(conversation) : builtIn

const builtIn: Assistant = async function* () {
  yield { say: 'Hello.' }
}
