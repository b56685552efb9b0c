import { call, type Steps, type Talk, tryCall } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { questionFor } from '../words/help.ts'
import { answerCompared, isCompared } from './compare.ts'
import { completeExpense } from './draft-expense.ts'
import { completeInvoice, withAddedLines } from './draft-invoice.ts'
import { completeOrder } from './draft-order.ts'
import { explainFailedRun, explainRun } from './explain-run.ts'
import { tellFailure } from './failures.ts'
import { viewFor } from './intent-views.ts'
import { answerList } from './list.ts'
import { answerOwedSince, owedSince } from './owed-since.ts'
import { answerPayrollMonths, isOfMonths } from './payroll-months.ts'
import { completeDelivery } from './receive-order.ts'
import { type Data, needsAll } from './rows.ts'
import { tell } from './tell.ts'
import { asksWhy } from './why.ts'

/** Makes the calls for what was understood, and tells the results. */
export async function* answerUnderstood(talk: Talk, understood: Understood): Steps {
  const { tool, input } = understood
  if (explainsRun(talk, understood)) return yield* explain(talk, input)
  if (owedSince(understood)) return yield* answerOwedSince(talk, understood)
  if (isCompared(understood)) return yield* answerCompared(talk, understood)
  if (isOfMonths(understood)) return yield* answerPayrollMonths(talk, understood)
  const view = viewFor(understood)
  if (view) {
    yield* answerList(talk, understood, view)
    if (understood.intent === 'has-paid') yield* stillOpen(talk, input)
    return
  }
  const completed = yield* complete(talk, understood)
  if ('missing' in completed)
    return yield* talk.say(questionFor(talk.language, completed.missing === 'order-line' ? 'order-line' : 'amount'))
  const result = yield* call(talk, tool, {
    ...completed,
    ...wholeReport(talk, understood),
    ...madeUpOf(talk, understood),
  })
  if (!result.ok) return yield* tellFailure(talk, result, tool)
  yield* tell(talk, understood, result.output)
}

/** Whether somebody has paid is also what they still owe. */
async function* stillOpen(talk: Talk, { customerId }: Data): Steps {
  const statement = yield* tryCall(talk, 'reports_customer_statement', { id: customerId })
  if (!statement) return
  yield* talk.line('')
  yield* tell(
    talk,
    { intent: 'customer-balance', language: talk.language, tool: 'reports_customer_statement', input: {} },
    statement,
  )
}

/** What the tool needs beyond what the person said. */
async function* complete(talk: Talk, { tool, input, then }: Understood): Steps<Data | { missing: string }> {
  if (tool === 'invoices_update' && then?.adds) return yield* withAddedLines(talk, input)
  if (tool === 'invoices_create') return yield* completeInvoice(talk, input)
  if ((tool === 'orders_receive' || tool === 'orders_deliver') && then?.parts)
    return yield* completeDelivery(talk, input, then.parts)
  if (tool === 'expenses_create') return yield* completeExpense(talk, input)
  return tool === 'orders_create' ? yield* completeOrder(talk, input) : input
}

/** A report whose rows are kept or ordered is read whole, as far as it gives its rows at once. */
function wholeReport({ turn }: Talk, { tool, then }: Understood): Data {
  const limit = turn.tools.find(({ name }) => name === tool)?.input.properties.limit as { maximum?: number } | undefined
  return tool.startsWith('reports_') && needsAll(then) && limit?.maximum ? { limit: limit.maximum } : {}
}

/** What the total of a report is made up of, if that is asked. */
const madeUpOf = ({ turn }: Talk, { tool, input }: Understood): Data =>
  input.groupBy === undefined && asksWhy(turn.text) && tool in parts ? { groupBy: parts[tool] } : {}

const parts: Record<string, string> = { reports_income: 'customer', reports_expenses: 'category' }

/** A question about failed runs asks why, not for a list. */
const explainsRun = ({ turn }: Talk, { tool, intent, input }: Understood) =>
  (tool === 'automations_runs' && input.status === 'FAILED' && (asksWhy(turn.text) || intent.startsWith('explain'))) ||
  tool === 'automations_run'

const explain = (talk: Talk, { id, runId }: Data): Steps =>
  typeof id === 'string' && typeof runId === 'string'
    ? explainRun(talk, { id: runId, automationId: id })
    : explainFailedRun(talk, typeof id === 'string' ? id : undefined)
