import {
  type CallResult,
  type Conversation,
  type ConversationMessage,
  type ConversationPiece,
  type ModelCall,
  ModelFailure,
  type OfferedTool,
} from '../../../../core/outside/conversation.ts'
import type { Assistant, Move, ToolResult, TurnInput } from '../turns/assistant.ts'
import { createShown, type Shown } from './data.ts'
import { createMeter, type Meter, type TurnLimits } from './limits.ts'
import { createTools, readOnName, searchName, type Tools } from './offered-tools.ts'
import { firstMessages, systemPrompt } from './prompt.ts'

/** A tool that ends the conversation, for a question that is answered by a value and not in words. */
export type Ending = {
  tool: OfferedTool
  /** What the model is told about it, beside the rules. */
  rule: string
  /** Takes what the model gives; or says why it does not fit, and the model goes on. */
  take(input: Record<string, unknown>): string | undefined
}

/** The companion with a language model: the model chooses the calls, and the loop decides what becomes of them. */
export function modelAssistant({ converse, budget }: Conversation, limits?: TurnLimits, ending?: Ending): Assistant {
  return async function* (turn) {
    const shown = createShown()
    const work: Work = {
      turn,
      shown,
      tools: createTools(turn.tools, turn.text),
      meter: createMeter(turn, budget, limits),
      wrongCalls: 0,
      ending,
    }
    const system = [systemPrompt(turn, shown), ...(ending ? [ending.rule] : [])].join('\n\n')
    const messages = firstMessages(turn, shown)
    for (;;) {
      const tools = [...work.tools.offered(), ...(ending ? [ending.tool] : [])]
      const request = { organizationId: turn.organization.id, system, messages, tools }
      const answer = yield* hear(
        converse({ ...request, signal: turn.signal, limits: await work.meter.nextAnswer() }),
        work.meter,
      )
      if (answer.calls.length === 0) return
      const results = yield* execute(answer.calls, work)
      if (!results) return
      messages.push(...exchange(answer, results))
      if (answer.text !== '') yield { say: '\n\n' } // what it says next is a paragraph of its own
    }
  }
}

type Work = {
  turn: TurnInput
  shown: Shown
  tools: Tools
  meter: Meter
  wrongCalls: number
  ending: Ending | undefined
}
type Called = { call: ModelCall; problem?: 'INPUT' | 'NO_SUCH_TOOL' }
type Answer = { text: string; calls: Called[] }

/** Passes the text of an answer on while it arrives, and returns the whole. */
async function* hear(pieces: AsyncIterable<ConversationPiece>, meter: Meter): AsyncGenerator<Move, Answer, unknown> {
  const answer: Answer = { text: '', calls: [] }
  for await (const piece of pieces) {
    if ('text' in piece) {
      answer.text += piece.text
      yield { say: piece.text }
    } else if ('call' in piece) answer.calls.push(piece)
    else if ('wrongCall' in piece) answer.calls.push(piece.wrongCall)
    else if ('usage' in piece) await meter.add(piece.usage)
    else if (piece.end === 'length') meter.cutOff()
  }
  return answer
}

/**
 * Executes the calls of an answer one after the other; undefined if one of them ends the turn, or waits for the person, which
 * ends it too.
 */
async function* execute(
  calls: readonly Called[],
  work: Work,
): AsyncGenerator<Move, CallResult[] | undefined, ToolResult | undefined> {
  const results: CallResult[] = []
  for (const { call, problem } of calls) {
    const { id, tool } = call
    if (!problem && tool === work.ending?.tool.name) {
      const misfit = work.ending.take(call.input)
      if (misfit === undefined) return undefined
      results.push({ id, tool, failed: true, text: misfit })
      continue
    }
    const own = problem ? refusal(call, problem, work) : ownResult(call, work)
    if (own) {
      results.push({ id, tool, ...own })
      continue
    }
    work.meter.step()
    const { organizationId: _, ...input } = call.input // the organization is that of the session
    const result = yield { call: tool, input }
    if (!result) throw new Error(`The call of ${tool} has no result.`)
    if (!result.ok && result.code === 'WAITS') return undefined
    const { ok, ...told } = result
    results.push({ id, tool, failed: !ok, text: work.shown.result(result.ok ? result.output : told) })
  }
  return results
}

type Told = { text: string; failed: boolean }

const wrongCallsMax = 2

/** A call that cannot be executed is given back to the model twice; then the turn fails. */
function refusal({ tool }: ModelCall, problem: NonNullable<Called['problem']>, work: Work): Told {
  work.wrongCalls += 1
  if (work.wrongCalls > wrongCallsMax) throw new ModelFailure('confused')
  if (problem === 'INPUT')
    return { failed: true, text: 'The arguments are no JSON object. Call it again with valid arguments.' }
  return work.tools.findByName(tool)
    ? {
        failed: true,
        text: 'This tool was not among those given to you. It is now: read its parameters and call it again.',
      }
    : { failed: true, text: 'There is no such tool. Look for tools with search_tools.' }
}

/** The result of the two tools that are no operations; undefined for every other. */
function ownResult({ tool, input }: ModelCall, { tools, shown }: Work): Told | undefined {
  if (tool === searchName) {
    const found = tools.find(typeof input.query === 'string' ? input.query : '')
    return { failed: false, text: JSON.stringify(found) }
  }
  if (tool !== readOnName) return undefined
  const [result, from] = [String(input.result), Number(input.from)]
  const text = Number.isInteger(from) ? shown.readOn(result, from) : undefined
  return text === undefined ? { failed: true, text: 'There is no such result.' } : { failed: false, text }
}

const exchange = ({ text, calls }: Answer, results: readonly CallResult[]): ConversationMessage[] => [
  { role: 'assistant', text, calls: calls.map(({ call }) => call) },
  { role: 'tool', results },
]
