import { Failure } from '../../../../core/define/failure.ts'
import type { Member, Operation, Outside } from '../../../../core/define/operation.ts'
import type { Caller } from '../../../../core/run/call.ts'
import type { Steps } from '../assistant/talk.ts'
import type { ToolResult, TurnInput } from '../turns/assistant.ts'
import { resultOf } from '../turns/call-tool.ts'
import { offered } from '../turns/loop.ts'
import { noAnswer } from './no-answer.ts'

export type MadeCall = { tool: string; input: Record<string, unknown> }

/** The operations that only read and that the caller may use. */
export const readingTools = ({ catalog }: Outside, { role, scopes, source }: Member): Operation[] =>
  offered(catalog.operations, { role, scopes }).filter(
    (operation) => operation.reads && (source !== 'AUTOMATION' || operation.sources.includes('AUTOMATION')),
  )

/** Calls for the question have the rights of its caller and no others: those of the credential, or those of the run. */
function callerFor({ source, userId, credential, runId }: Member, requestId: string): Caller {
  if (source === 'AUTOMATION')
    return { source, credential: null, userId, requestId: `run:${runId}`, ...(runId !== null && { runId }) }
  const credentialOf = source as 'SESSION' | 'API_KEY' | 'OAUTH' // the operation accepts no other
  return { source: 'COMPANION', credential, credentialOf, userId, requestId }
}

/** A question goes round in circles after this many calls. */
const callsMax = 40

type Turn = Pick<TurnInput, 'tools' | 'signal'>

/** Carries out what answers a question: the calls it makes, each once, and what it says. */
export async function answered<T>(context: Outside, who: Member, { tools, signal }: Turn, steps: Steps<T>) {
  const caller = callerFor(who, `ask:${context.intent}`)
  const results = new Map<string, ToolResult>()
  const calls: MadeCall[] = []
  const said: string[] = []
  let given: ToolResult | undefined
  try {
    for (;;) {
      const { done, value } = await steps.next(given)
      signal.throwIfAborted()
      given = undefined
      if (done) return { answer: value, text: said.join('').trim(), calls }
      if ('say' in value) {
        said.push(value.say)
        continue
      }
      const { organizationId: _, ...input } = value.input // a question stays in its organization
      const made = { tool: value.call, input }
      const key = JSON.stringify(made)
      given = results.get(key)
      if (given) continue
      if (calls.length >= callsMax) throw noAnswer(`It would take more than ${callsMax} calls. Ask for less at once.`)
      calls.push(made)
      given = await read(context, { caller, operation: tools.find(({ name }) => name === made.tool), made, who })
      results.set(key, given)
    }
  } finally {
    await steps.return(undefined as never) // ends what it still waits for
  }
}

type Reading = { caller: Caller; operation: Operation | undefined; made: MadeCall; who: Member }

async function read({ run }: Outside, { caller, operation, made, who }: Reading): Promise<ToolResult> {
  if (!operation)
    return { ok: false, code: 'UNKNOWN_TOOL', message: `There is no tool ${made.tool} that may be used here.` }
  try {
    const input = { ...made.input, organizationId: who.organizationId }
    const { body } = await run(operation, { caller, input, trace: {} })
    return { ok: true, output: JSON.parse(body) }
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return resultOf(error)
    throw error
  }
}
