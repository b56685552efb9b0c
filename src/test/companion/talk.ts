import { operations } from '../../catalog/operations.ts'
import type { Role } from '../../core/define/access.ts'
import { onSurface } from '../../core/define/operation.ts'
import type { Assistant, ToolResult, TurnInput } from '../../features/work/companion/turns/assistant.ts'
import { operationNamed, type Someone } from '../world.ts'

/** Talks to an assistant as the loop of turns does: calls are executed as the person, texts are joined. */

export type Said = {
  text: string
  pieces: string[]
  calls: { tool: string; input: Record<string, unknown>; result: ToolResult }[]
}

type Options = {
  today?: string
  role?: Role
  country?: 'IL' | 'SG' | 'US'
  currency?: string
  /** Effects, which wait for the person's word. */
  waits?: (tool: string) => boolean
}

/** A conversation: `await say('who owes me money?')`. What the assistant remembers is kept between the turns. */
export function conversation(assistant: Assistant, someone: Someone, options: Options = {}) {
  const { today = '2026-11-01', role = 'OWNER', country = 'SG', currency = 'SGD', waits = () => false } = options
  const organization = {
    id: String(someone.organizationId),
    name: 'Acme',
    country,
    currency,
    timezone: 'Asia/Singapore',
  }
  let memory: unknown
  const history: { role: 'user' | 'assistant'; text: string }[] = []
  const say = async (text: string): Promise<Said> => {
    const turn: TurnInput = {
      ...{ text, attachments: [], today, organization, person: { name: 'Amy' }, role, history: [...history], memory },
      remember(next) {
        memory = JSON.parse(JSON.stringify(next))
      },
      signal: new AbortController().signal,
      tools: onSurface(operations, 'api'),
      usage: { today: async () => ({ tokens: 0, costMicros: 0 }), add: async () => {} },
    }
    const said: Said = { text: '', pieces: [], calls: [] }
    const moves = assistant(turn)
    for (let move = await moves.next(); !move.done; ) {
      if ('say' in move.value) {
        said.pieces.push(move.value.say)
        move = await moves.next()
        continue
      }
      const { call: tool, input } = move.value
      const result: ToolResult = waits(tool)
        ? { ok: false, code: 'WAITS', message: 'It waits.' }
        : await execute(someone, tool, input)
      said.calls.push({ tool, input, result })
      move = await moves.next(result)
    }
    said.text = said.pieces.join('')
    history.push({ role: 'user', text }, { role: 'assistant', text: said.text })
    return said
  }
  return { say, remembered: () => memory }
}

async function execute(someone: Someone, tool: string, input: Record<string, unknown>): Promise<ToolResult> {
  const operation = operationNamed(tool)
  const inside = 'organizationId' in operation.input.properties ? { organizationId: someone.organizationId } : {}
  const { status, body, headers } = await someone.request(operation, { ...inside, ...input })
  if (status >= 400) {
    const { error } = body as { error: { code: string; message: string; details?: [] } }
    return { ok: false, ...error }
  }
  const [, fileName] = /filename="([^"]+)"/.exec(String(headers['content-disposition'] ?? '')) ?? []
  return { ok: true, output: fileName ? { fileName, fileType: headers['content-type'] } : body }
}

/** Text without the marks for the direction of writing and with usual spaces, for comparing. */
export const plainText = (text: string): string =>
  text.replace(/[\u200e\u200f\u2066-\u2069]/g, '').replace(/\u00a0/g, ' ')
