import type { Conversation, ModelBudget } from '../../core/outside/conversation.ts'
import { Secret } from '../../core/secrets/secret.ts'
import type { Assistant, ToolResult, TurnInput } from '../../features/work/companion/turns/assistant.ts'
import { createEgress } from '../../providers/egress/egress.ts'
import { openConversation } from '../../providers/model/conversation.ts'
import { openModel } from '../../providers/model/model.ts'
import type { Asked } from '../fakes/model-server.ts'
import { modelServer } from '../fakes/model-server.ts'

export const plentiful: ModelBudget = {
  dailyTokens: 1_000_000,
  pricePerMillion: { input: 2, output: 10 },
  dailyCostMicros: undefined,
}

type Reply = Parameters<typeof modelServer>[0]

/** A conversation with a model that answers as the script says, over HTTP. */
export async function scriptedConversation(
  reply: Reply,
  budget: ModelBudget = plentiful,
): Promise<Conversation & { asked: Asked[] }> {
  const { url, asked } = await modelServer(reply)
  const egress = createEgress({ mode: 'local', allow: [], allowHttp: false })
  const model = openModel({ provider: 'compatible', model: 'chat', url, key: new Secret('key-of-the-model') }, egress)
  return { asked, ...openConversation(model, budget) }
}

/** A turn of Amy, who owns Acme, with what it has used until now in `used`. */
export function turnOf(text: string, more: Partial<TurnInput> = {}) {
  const used = { tokens: 0, costMicros: 0 }
  const usage: TurnInput['usage'] = {
    today: async () => ({ ...used }),
    async add({ inputTokens, outputTokens, costMicros }) {
      used.tokens += inputTokens + outputTokens
      used.costMicros += costMicros
    },
  }
  const turn: TurnInput = {
    text,
    attachments: [],
    today: '2026-06-01',
    organization: { id: 'org-1', name: 'Acme', country: 'IL', currency: 'ILS', timezone: 'Asia/Jerusalem' },
    person: { name: 'Amy' },
    role: 'OWNER',
    history: [],
    memory: undefined,
    remember: () => {},
    signal: new AbortController().signal,
    tools: [],
    usage,
    ...more,
  }
  return { turn, used }
}

/** Drives a turn as the loop does, and answers its calls with `result`. */
export async function drive(
  assistant: Assistant,
  turn: TurnInput,
  result: (call: string, input: Record<string, unknown>) => ToolResult | Promise<ToolResult>,
) {
  const said: string[] = []
  const calls: { call: string; input: Record<string, unknown> }[] = []
  const moves = assistant(turn)
  let given: ToolResult | undefined
  try {
    for (;;) {
      const { value, done } = await moves.next(given)
      given = undefined
      if (done) return { said: said.join(''), calls, failure: undefined }
      if ('say' in value) said.push(value.say)
      else {
        calls.push(value)
        given = await result(value.call, value.input)
      }
    }
  } catch (failure) {
    return { said: said.join(''), calls, failure: failure as Error & { reason?: string } }
  }
}
