import { viewFor } from '../assistant/answers/intent-views.ts'
import { type Data, readRows } from '../assistant/answers/rows.ts'
import { call, type Steps, type Talk } from '../assistant/talk.ts'
import type { Understood } from '../assistant/understood.ts'
import { type Noun, nouns } from '../assistant/words/nouns.ts'
import type { ToolResult } from '../turns/assistant.ts'
import { type Facts, listFacts, namesOf, plainFacts } from './facts.ts'
import { reportFacts } from './report-facts.ts'

type Failed = Extract<ToolResult, { ok: false }>

/** Makes the calls for what was understood and collects what they say. */
export async function* factsOf(talk: Talk, understood: Understood): Steps<Facts | Failed> {
  const view = viewFor(understood)
  if (view) {
    const read = yield* readRows(talk, understood, { field: view.field, all: true, shown: 100 })
    if ('ok' in read) return read
    const kept = read.rows.filter((data) => view.keeps?.(data, talk) ?? true)
    const rows = kept.map((data) => ({ data, row: view.row(data, talk) }))
    return listFacts(talk, understood, rows, {
      isWhole: !read.isCut,
      listNames: [view.field, ...namesOf(view.noun), ...namesOf(otherNouns[view.field])],
    })
  }
  const result = yield* call(talk, understood.tool, { ...understood.input, ...largestPage(talk, understood.tool) })
  if (!result.ok) return result
  const output = (result.output ?? {}) as Data
  const facts = (reportFacts[understood.tool] ?? plainFacts)(talk, understood, output as never)
  return output.fxIncomplete === true ? withoutAmounts(facts) : facts
}

const otherNouns: Record<string, Noun> = { invoices: nouns.document }

/** A report gives as many rows at once as it can. */
function largestPage({ turn }: Talk, tool: string): Data {
  const limit = turn.tools.find(({ name }) => name === tool)?.input.properties.limit as { maximum?: number } | undefined
  return limit?.maximum ? { limit: limit.maximum } : {}
}

/** Amounts in currencies without a rate are not in the figures of a report, so they are no exact answer. */
const withoutAmounts = ({ amount: _, ...facts }: Facts): Facts => ({
  ...facts,
  isWhole: false,
  fields: Object.fromEntries(Object.entries(facts.fields).filter(([, value]) => typeof value === 'string')),
})
