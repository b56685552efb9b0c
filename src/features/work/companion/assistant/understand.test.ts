import { expect, test } from 'vitest'
import { operations } from '../../../../catalog/operations.ts'
import { checkInput } from '../../../../core/run/input.ts'
import { byUse } from '../../../../test/companion/corpus/by-use.ts'
import { byUseInSingapore, byUseInTheStates } from '../../../../test/companion/corpus/by-use-abroad.ts'
import { byUseFifth } from '../../../../test/companion/corpus/by-use-fifth.ts'
import { byUseFourth } from '../../../../test/companion/corpus/by-use-fourth.ts'
import { byUseSecond } from '../../../../test/companion/corpus/by-use-second.ts'
import { byUseThird } from '../../../../test/companion/corpus/by-use-third.ts'
import { englishMoney } from '../../../../test/companion/corpus/english-money.ts'
import { englishWork } from '../../../../test/companion/corpus/english-work.ts'
import { followUps } from '../../../../test/companion/corpus/follow-ups.ts'
import { hebrew } from '../../../../test/companion/corpus/hebrew.ts'
import { heldOutFirst } from '../../../../test/companion/corpus/held-out-first.ts'
import { heldOutFourth } from '../../../../test/companion/corpus/held-out-fourth.ts'
import { heldOutSecond } from '../../../../test/companion/corpus/held-out-second.ts'
import { heldOutThird } from '../../../../test/companion/corpus/held-out-third.ts'
import type { Sentence } from '../../../../test/companion/corpus/sentence.ts'
import { shownId } from '../../../../test/companion/corpus/sentence.ts'
import { singapore } from '../../../../test/companion/corpus/singapore.ts'
import { strangersEnglish } from '../../../../test/companion/corpus/strangers-english.ts'
import { strangersFirst } from '../../../../test/companion/corpus/strangers-first.ts'
import { strangersFourth } from '../../../../test/companion/corpus/strangers-fourth.ts'
import { strangersHebrew } from '../../../../test/companion/corpus/strangers-hebrew.ts'
import { strangersSecond } from '../../../../test/companion/corpus/strangers-second.ts'
import { strangersThird } from '../../../../test/companion/corpus/strangers-third.ts'
import { summary } from '../../../../test/companion/corpus/summary.ts'
import { unitedStates } from '../../../../test/companion/corpus/united-states.ts'
import { unseenInSingapore, unseenInTheStates } from '../../../../test/companion/corpus/unseen-abroad.ts'
import { unseenEnglish } from '../../../../test/companion/corpus/unseen-english.ts'
import { unseenFollowUps } from '../../../../test/companion/corpus/unseen-follow-ups.ts'
import { unseenHebrew } from '../../../../test/companion/corpus/unseen-hebrew.ts'
import { graphProblems } from '../../automations/graph.ts'
import { intents } from './intents/intents.ts'
import { understand } from './understand.ts'
import type { NotUnderstood, Surroundings, Understood } from './understood.ts'

const around: Surroundings = { today: '2026-11-17', country: 'IL', currency: 'ILS', before: [], shown: [] }
const inSingapore: Surroundings = { ...around, country: 'SG', currency: 'SGD' }
const inTheStates: Surroundings = { ...around, country: 'US', currency: 'USD' }

const corpus: readonly (readonly [Sentence, Surroundings])[] = [
  ...[
    ...englishMoney,
    ...englishWork,
    ...hebrew,
    ...heldOutFirst,
    ...heldOutSecond,
    ...heldOutThird,
    ...heldOutFourth,
    ...byUse,
    ...byUseSecond,
    ...byUseThird,
    ...byUseFourth,
    ...byUseFifth,
    ...unseenEnglish,
    ...unseenHebrew,
    ...strangersFirst,
    ...strangersEnglish,
    ...strangersHebrew,
    ...strangersSecond,
    ...strangersThird,
    ...strangersFourth,
  ].map((sentence) => [sentence, around] as const),
  ...[...singapore, ...byUseInSingapore, ...unseenInSingapore].map((sentence) => [sentence, inSingapore] as const),
  ...[...unitedStates, ...byUseInTheStates, ...unseenInTheStates].map((sentence) => [sentence, inTheStates] as const),
]

const isCall = (understood: Understood | NotUnderstood): understood is Understood => 'tool' in understood

function told(understood: Understood | NotUnderstood) {
  if (!isCall(understood)) return [[understood.intent, understood.about].filter(Boolean).join(' ')]
  const { tool, input, then } = understood
  return [tool, summary(tool, input), then ?? {}]
}

const expected = ([, tool, input, then]: Sentence) =>
  /^[a-z0-9]+_/.test(tool) ? [tool, input ?? {}, then ?? {}] : [tool]

test.each(corpus.map(([sentence, surroundings]) => [sentence[0], sentence, surroundings] as const))(
  '%s',
  (text, sentence, surroundings) => expect(told(understand(text, surroundings))).toEqual(expected(sentence)),
)

test('the corpus has 400 sentences or more, half of them Hebrew', () => {
  const inHebrew = corpus.filter(([[text]]) => /[א-ת]/.test(text)).length
  expect(corpus.length).toBeGreaterThan(800)
  expect(inHebrew / corpus.length).toBeGreaterThan(0.4)
})

test.each([...followUps, ...unseenFollowUps])(
  'after $before, $shown: $sentence.0',
  ({ before = [], shown = [], sentence }) => {
    const records = shown.map((kind, place) => ({ kind, id: shownId(kind, place), name: `${kind} ${place + 1}` }))
    const earlier: Understood[] = []
    for (const text of before) {
      const understood = understand(text, { ...around, before: earlier })
      if (isCall(understood)) earlier.push(understood)
    }
    expect(told(understand(sentence[0], { ...around, before: earlier, shown: records }))).toEqual(expected(sentence))
  },
)

/** The input as it is called: ids for the records that are named, and the organization. */
function called(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(called)
  if (typeof value !== 'object' || value === null) return value
  if ('$named' in value) return '019a0000-0000-7000-8000-000000000001'
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, called(inner)]))
}

test('every input is valid for its operation', () => {
  const problems: unknown[] = []
  for (const [[text], surroundings] of corpus) {
    const understood = understand(text, surroundings)
    if (!isCall(understood)) continue
    const operation = operations.find(({ name }) => name === understood.tool)
    if (!operation) problems.push([text, understood.tool])
    for (const own of operation ? [understood.input, ...(understood.also ?? [])] : []) {
      const takes = operation && 'organizationId' in operation.input.properties
      const input = called({ ...own, ...(takes && { organizationId: { $named: 'organization' } }) }) as Record<
        string,
        unknown
      >
      const unknown = Object.keys(input).filter((field) => operation && !(field in operation.input.properties))
      const { problem } = operation ? checkInput(operation, { input }) : {}
      if (problem || unknown.length > 0)
        problems.push([text, understood.tool, input, problem?.message, problem?.details, unknown])
    }
  }
  expect(problems).toEqual([])
})

test('every intent calls an operation, and at least 60 of them are reached', () => {
  const names = new Set(operations.map(({ name }) => name))
  expect(intents.filter(({ tool }) => !names.has(tool)).map(({ name }) => name)).toEqual([])
  const reached = new Set(corpus.map(([[text], surroundings]) => understand(text, surroundings).intent))
  expect(reached.size).toBeGreaterThan(120)
})

test('the graph of a drafted automation can be saved', () => {
  for (const [[text, tool], surroundings] of corpus) {
    const understood = understand(text, surroundings)
    if (tool !== 'automations_create' || !isCall(understood)) continue
    const { blocks, edges } = called(understood.input) as Parameters<typeof graphProblems>[0]
    expect([text, graphProblems({ blocks, edges })]).toEqual([text, []])
  }
})
