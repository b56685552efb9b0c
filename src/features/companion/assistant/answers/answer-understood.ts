import { call, type Steps, type Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { questionFor } from '../words/help.ts'
import { completeInvoice } from './draft-invoice.ts'
import { explainFailedRun, explainRun } from './explain-run.ts'
import { tellFailure } from './failures.ts'
import { viewFor } from './intent-views.ts'
import { answerList } from './list.ts'
import type { Data } from './rows.ts'
import { asksWhy, tell } from './tell.ts'

/** Makes the calls for what was understood, and tells the results. */
export async function* answerUnderstood(talk: Talk, understood: Understood): Steps {
  const { tool, input } = understood
  if (explainsRun(talk, understood)) return yield* explain(talk, input)
  const view = viewFor(understood)
  if (view) {
    yield* answerList(talk, understood, view)
    return
  }
  const completed = tool === 'invoices_create' ? yield* completeInvoice(talk, input) : input
  if ('missing' in completed) return yield* talk.say(questionFor(talk.language, 'amount'))
  const result = yield* call(talk, tool, completed as Data)
  if (!result.ok) return yield* tellFailure(talk, result, tool)
  yield* tell(talk, understood, result.output)
}

/** A question about failed runs asks why, not for a list. */
const explainsRun = ({ turn }: Talk, { tool, intent, input }: Understood) =>
  (tool === 'automations_runs' && input.status === 'FAILED' && (asksWhy(turn.text) || /explain|why/.test(intent))) ||
  (tool === 'automations_list' && /explain|why|fail/.test(intent)) ||
  tool === 'automations_run'

const explain = (talk: Talk, { id, runId }: Data): Steps =>
  typeof id === 'string' && typeof runId === 'string'
    ? explainRun(talk, { id: runId, automationId: id })
    : explainFailedRun(talk, typeof id === 'string' ? id : undefined)
