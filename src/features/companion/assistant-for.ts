import type { JobContext } from '../../core/define/job.ts'
import { assistantWith } from './assistant/answer.ts'
import { understand } from './assistant/understand.ts'
import { modelAssistant } from './model/assistant.ts'
import type { Assistant } from './turns/assistant.ts'

const builtInAssistant = assistantWith(understand)

/** The assistant of this installation: the language model that is configured, or the built-in one. */
export const assistantFor = ({ conversation }: Pick<JobContext, 'conversation'>): Assistant =>
  conversation ? modelAssistant(conversation) : builtInAssistant
