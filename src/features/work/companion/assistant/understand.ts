import { actsOnOther } from './intents/acted-on.ts'
import { cannots } from './intents/cannot.ts'
import { fileOf, isFile } from './intents/files.ts'
import { counts, fill, takesTime, timeFields } from './intents/fill.ts'
import { continues, followUp, inputTimesOf, oneShown, timesOf } from './intents/follow-up.ts'
import { type Input, type Intent, isMissing, withResult } from './intents/intent.ts'
import { intents } from './intents/intents.ts'
import { type Concept, isAct, isLight } from './intents/lexicon.ts'
import { isCommand, scoreOf } from './intents/pattern.ts'
import { readSaid, type Said } from './intents/said.ts'
import { besideNegation, isForbidden, readTalk } from './intents/talk.ts'
import type { NotUnderstood, Surroundings, Then, Understood } from './understood.ts'

/** The least score of an intent: a word that says what is wanted, and little that speaks against it. Less does for reading. */
const [leastScore, leastToRead] = [1.5, 1]

/** What a sentence asks for. It never throws and has no effect. */
export function understand(text: string, around: Surroundings): Understood | NotUnderstood {
  const rest = besideNegation(text)
  const beside = rest === undefined ? undefined : understand(rest, around)
  if (beside && ('tool' in beside || beside.intent === 'missing')) return beside
  const said = readSaid(text, around)
  const { language } = said.slots
  const talk = readTalk(said)
  const more = talk === 'yes' || talk === 'thanks' ? besideYes(text) : undefined
  if (more !== undefined && around.shown[0]?.kind === 'document') return understand(more, around)
  if (talk) return { intent: talk, language }
  if (isForbidden(said, (concepts) => concepts.some(isAct) && !concepts.some(isLight)))
    return { intent: 'no', language }
  if (
    /^\s*how (do|can|to|would|should)( i| we)? /i.test(text) &&
    said.hits.some(({ concepts }) => concepts.some(isAct))
  )
    return { intent: 'help', language }
  const one = oneShown(said)
  if (one) return one
  const best = bestOf(said)
  const refused = refusedOf(said)
  if (refused && refused.score >= (best?.score ?? 0)) return { intent: 'cannot', language, about: refused.about }
  return (
    continued(said, best ?? impliedOf(said)) ??
    (best ? carryOut(said, best.intent) : undefined) ??
    (isOfOther(said) ? { intent: 'cannot', language, about: 'other-kind' } : { intent: unknownOrHelp(text), language })
  )
}

/** "Looks good, send it" with no question before it tells to send. */
const besideYes = (text: string): string | undefined =>
  /[\s,.!]((?:please )?send it|תשלח(?:י)? אות[הו]|שלח(?:י)? אות[הו])\s*[.!]*$/i.exec(text)?.[1]

const unknownOrHelp = (text: string): 'help' | 'unknown' =>
  /^\s*(how (do|can|to)|can you help|איך (אני|אנחנו|עושים|אפשר|מוסיפים|מוציאים|שולחים|רושמים))(?![\p{L}])/iu.test(text)
    ? 'help'
    : 'unknown'

type Ranked = { intent: Intent; score: number }

/** The intent whose words explain the sentence best. */
function bestOf(said: Said): Ranked | undefined {
  if (said.hits.every(({ concepts }) => concepts.every(isLight))) return undefined
  let best: Ranked | undefined
  for (const intent of intents) {
    const score = rank(said, intent)
    if (score !== undefined && score >= (reads(intent.tool) ? leastToRead : leastScore) && score > (best?.score ?? 0))
      best = { intent, score }
  }
  return best
}

/** What the lists are lists of, for a sentence that does not say it again: "only the open ones". */
const nounOf: Record<string, Concept> = {
  invoices_list: 'invoice', expenses_list: 'expense', orders_list: 'order', payroll_payslips_list: 'payslip', automations_list: 'automation',
} // biome-ignore format: a table

/** The list before, with what this sentence says of its rows. */
function impliedOf(said: Said): Ranked | undefined {
  const last = said.around.before.at(-1)
  const noun = nounOf[last?.tool ?? '']
  if (!noun || !continues(said) || said.hits.some(({ concepts }) => concepts.every(isAct))) return undefined
  const end = said.tokens.length
  const hits = [...said.hits, { concepts: [noun], first: end, end: end + 1, isGuessed: false }]
  const concepts = new Set(hits.flatMap((hit) => hit.concepts))
  const has = (...wanted: Concept[]) => wanted.some((concept) => concepts.has(concept))
  const best = bestOf({ ...said, hits, concepts, has })
  return best?.intent.tool === last?.tool && said.hits.some((hit) => !hit.concepts.every(isLight)) ? best : undefined
}

/** Tools that only read, by their names. */
const reads = (tool: string): boolean =>
  /^reports_(?!.*_(send|create|update|reverse)$)|_list$|_get$|_summary$|_levels$/.test(tool)

function rank(said: Said, intent: Intent): number | undefined {
  const best = wordsScore(said, intent)
  if (best === undefined || actsOnOther(intent.tool, said) || (intent.if && !intent.if(said))) return undefined
  if (intent.tool === 'invoices_list' && said.slots.numbers.length > 0) return undefined // one document is asked for, no list
  return best + (intent.bonus?.(said) ?? 0)
}

/** "Duplicate order 55": the words fit something that is done with other things. */
const isOfOther = (said: Said): boolean =>
  intents.some((intent) => actsOnOther(intent.tool, said) && (wordsScore(said, intent) ?? 0) >= leastScore)

/** How well the words of the sentence fit, by the best of the patterns. */
function wordsScore(said: Said, intent: Intent): number | undefined {
  let best: number | undefined
  const own = isFile(intent.tool) ? withoutExport(said) : said
  for (const words of intent.words) {
    if (said.isAsking && isCommand(words)) continue
    const score = scoreOf(words, own)
    if (score !== undefined && score > (best ?? Number.NEGATIVE_INFINITY)) best = score
  }
  return best
}

/** "As excel" says how a report is wanted, not what. */
const withoutExport = (said: Said): Said => ({
  ...said,
  hits: said.hits.filter(({ concepts }) => !concepts.includes('export') || concepts.length > 1),
})

function refusedOf(said: Said): { about: string; score: number } | undefined {
  let best: { about: string; score: number } | undefined
  for (const { about, words, if: holds } of cannots) {
    const scores = words
      .map((pattern) => scoreOf(pattern, { ...said, isAsking: false }))
      .filter((score) => score !== undefined)
    if (scores.length === 0 || (holds && !holds(said))) continue
    const score = Math.max(...scores) + (holds ? 2 : 0)
    if (score > (best?.score ?? 0)) best = { about, score }
  }
  return best
}

/** The input that the intent makes of the sentence, or what is missing for it. */
function carryOut(said: Said, intent: Intent): Understood | NotUnderstood {
  const { language } = said.slots
  if (said.slots.unclear.length > 0 && takesTime(intent.tool) && !intent.isWhole)
    return { intent: 'missing', language, about: 'date', of: intent.name }
  const own = typeof intent.input === 'function' ? intent.input(said) : { ...intent.input }
  if (isMissing(own)) return { intent: 'missing', language, about: own.$missing, of: intent.name }
  const filled = intent.isWhole ? { input: {}, result: {} } : fill(intent.tool, said, own)
  const input: Input = { ...filled.input, ...own, ...fileOf(intent.tool, said) }
  const asked: Then = typeof intent.result === 'function' ? intent.result(said) : (intent.result ?? {})
  const then: Then = { ...filled.result, ...asked, ...(counts(said) && listed.test(intent.tool) && { count: true }) }
  const also = intent.also && { also: intent.also.map((more) => ({ ...input, ...more })) }
  return withResult({ intent: intent.name, language, tool: intent.tool, input, ...also }, then)
}

/** Tools that answer with a list. */
const listed = /_list$|_members$|_logs$/

/** A sentence that goes on from the one before: it changes what was asked, or asks something else for the same time. */
function continued(said: Said, best: Ranked | undefined): Understood | NotUnderstood | undefined {
  const last = said.around.before.at(-1)
  if (!last) return undefined
  const own = best && carryOut(said, best.intent)
  if (!own) return followUp(said, last)
  if (!continues(said) || !('tool' in own)) return undefined
  if (own.tool === last.tool) return together(last, own, said.slots.periods.length > 0)
  const times = said.slots.periods.length > 0 ? {} : asTimesOf(own, last)
  return { ...own, input: { ...own.input, ...times } }
}

/** The same list with one more condition: "just the overdue ones". */
function together(last: Understood, own: Understood, hasTime: boolean): Understood {
  const times = hasTime ? {} : inputTimesOf(last)
  return withResult({ ...own, input: { ...last.input, ...own.input, ...times } }, { ...last.then, ...own.then })
}

/** The time of the request before, in the fields of this one. */
function asTimesOf(own: Understood, last: Understood): Input {
  const { from, to, dateFrom, dateTo } = timesOf(last)
  const [first, end] = [from ?? dateFrom, to ?? dateTo]
  return typeof first === 'string' && typeof end === 'string' ? timeFields(own.tool, first, end) : {}
}
