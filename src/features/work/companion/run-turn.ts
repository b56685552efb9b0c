import type { JobContext } from '../../../core/define/job.ts'
import { builtInAssistant } from './assistant/answer.ts'
import { modelAssistant } from './model/assistant.ts'
import type { Assistant } from './turns/assistant.ts'
import { runTurnWith } from './turns/run-turn.ts'

/** The assistant of this installation: the language model that is configured, or the built-in one. */
const assistantFor = ({ conversation }: Pick<JobContext, 'conversation'>): Assistant =>
  conversation ? modelAssistant(conversation) : builtInAssistant

/** Works on a turn. */
export const runTurn = runTurnWith(assistantFor)
