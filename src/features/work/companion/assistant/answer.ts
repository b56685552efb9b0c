import type { Assistant, TurnInput } from '../turns/assistant.ts'
import { answerUnderstood } from './answers/answer-understood.ts'
import { tellFailure } from './answers/failures.ts'
import { talkBack } from './answers/talk-back.ts'
import { asksWhy } from './answers/why.ts'
import { readChoice } from './choices.ts'
import { type Asked, type Memory, nextMemory, readMemory } from './memory.ts'
import { namedIn } from './named.ts'
import { type OtherKind, type Resolved, resolveNames, withId } from './resolve.ts'
import { call, type Steps, type Talk, talkIn } from './talk.ts'
import { understand } from './understand.ts'
import type { NotUnderstood, Surroundings, Understood } from './understood.ts'
import { nouns } from './words/nouns.ts'

/** Reads a sentence: what it asks for, or why it leads to no call. */
export type Understand = (text: string, around: Surroundings) => Understood | NotUnderstood

/** An assistant without a language model: it understands a sentence, makes the calls and tells the results. */
export const assistantWith = (understand: Understand): Assistant =>
  async function* (turn) {
    const memory = readMemory(turn.memory)
    const around = surroundingsOf(turn, memory)
    const alone = understand(turn.text, around)
    const read = whyOf(
      memory,
      withMissing(memory.asked, alone, (text) => understand(text, around), turn.text),
      turn.text,
    )
    const talk = talkIn(read.language, turn)
    const known = memory.asked && continued(memory.asked, read, turn.text)
    if (known) return yield* answerAsked(talk, memory, known)
    if (!('tool' in read)) {
      yield* talkBack(talk, read)
      const asked: Asked | undefined = read.intent === 'missing' ? { about: 'detail', text: turn.text } : undefined
      return turn.remember(nextMemory(memory, { ...(asked && { asked }) }))
    }
    yield* answerSentence(talk, memory, read)
  }

const surroundingsOf = ({ today, organization }: TurnInput, { before, shown }: Memory): Surroundings => ({
  today,
  country: organization.country,
  currency: organization.currency,
  before,
  shown,
})

type Reading = Understood | NotUnderstood

/** After "for which amount?" the next message may give only that: it is read together with the sentence before. */
function withMissing(
  asked: Asked | undefined,
  read: Reading,
  readAgain: (text: string) => Reading,
  text: string,
): Reading {
  if (asked?.about !== 'detail' || !['unknown', 'missing'].includes(read.intent)) return read
  const together = readAgain(`${asked.text} ${text}`)
  return 'tool' in together || together.intent === 'missing' ? together : read
}

/** "Why is it 12,300?" asks how the answer before is made up. */
function whyOf({ before }: Memory, read: Reading, text: string): Reading {
  const last = before.at(-1)
  if (!last || !asksWhy(text)) return read
  const isAboutIt =
    'tool' in read
      ? read.tool === last.tool && !last.tool.endsWith('_get') && namedIn(read.input).length === 0
      : read.intent === 'unknown'
  return isAboutIt ? { ...last, language: read.language } : read
}

/** What the answer to a question leads to: a record was chosen, or one is to be created first. */
type Continued = { understood: Understood } | { create: Extract<Asked, { about: 'create' }> }

/** Whether the text answers what was asked at the end of the turn before. */
function continued(asked: Asked, read: Reading, text: string): Continued | undefined {
  if (asked.about === 'detail') return undefined
  const isYes = read.intent === 'yes'
  if (asked.about === 'create') return isYes ? { create: asked } : undefined
  const { choices, understood, path } = asked
  const chosen = isYes && choices.length === 1 ? choices[0] : readChoice(text, choices)
  return chosen && { understood: withId(understood, path, chosen.id) }
}

async function* answerAsked(talk: Talk, memory: Memory, known: Continued): Steps {
  if ('understood' in known) {
    const own = talkIn(known.understood.language, talk.turn)
    return yield* answerSentence(own, memory, known.understood)
  }
  const { tool, input, understood, path } = known.create
  const own = talkIn(understood.language, talk.turn)
  const result = yield* call(own, tool, input)
  if (!result.ok) return yield* tellFailure(own, result, tool)
  const { id } = result.output as { id: string }
  yield* answerSentence(own, memory, withId(understood, path, id))
}

/** Looks the names up, makes the call and tells the result; what was understood and named is remembered for the next turn. */
async function* answerSentence(talk: Talk, memory: Memory, read: Understood): Steps {
  const resolved = yield* resolveNames(talk, withoutAnyAutomation(read))
  if ('other' in resolved) return yield* answerOther(talk, memory, read, resolved)
  if ('asked' in resolved) {
    const { asked } = resolved
    return talk.turn.remember(nextMemory(memory, { shown: talk.shown, ...(asked && { asked }) }))
  }
  const { understood, records } = resolved
  // an effect ends the turn at its call, so what is known is remembered before it
  talk.turn.remember(nextMemory(memory, { understood, shown: records }))
  yield* answerUnderstood(talk, understood)
  talk.turn.remember(nextMemory(memory, { understood, shown: withoutRepeats([...talk.shown, ...records]) }))
}

/** The sentence again, with what the name is: "what do I pay employee Grace". */
async function* answerOther(
  talk: Talk,
  memory: Memory,
  read: Understood,
  { other, words }: Extract<Resolved, { other: OtherKind }>,
): Steps {
  const label = nouns[other][talk.language][0]
  const text = talk.turn.text.replace(words, `${label} ${words}`)
  const again = text === talk.turn.text ? read : understand(text, surroundingsOf(talk.turn, memory))
  const isOther =
    'tool' in again && (again.tool !== read.tool || JSON.stringify(again.input) !== JSON.stringify(read.input))
  const resolved = isOther ? yield* resolveNames(talk, again) : undefined
  if (!resolved || !('understood' in resolved)) {
    yield* talk.say(
      talk.in(
        `${talk.data(words)} is no ${nounFor(talk, read)} but ${article(label)} ${label}.`,
        `${talk.data(words)} הוא ${label}, ולא ${nounFor(talk, read)}.`,
      ),
    )
    return talk.turn.remember(nextMemory(memory, { shown: talk.shown }))
  }
  talk.turn.remember(nextMemory(memory, { understood: resolved.understood, shown: resolved.records }))
  yield* answerUnderstood(talk, resolved.understood)
  talk.turn.remember(
    nextMemory(memory, {
      understood: resolved.understood,
      shown: withoutRepeats([...talk.shown, ...resolved.records]),
    }),
  )
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')

/** The kind of record that the sentence was read for. */
const nounFor = (talk: Talk, { input }: Understood): string =>
  nouns[namedIn(input)[0]?.named.$named ?? 'customer'][talk.language][0]

/** "Why did the last run fail?" means the last one of all automations, not of the latest automation. */
function withoutAnyAutomation(read: Understood): Understood {
  const { id, ...input } = read.input
  const isAny = read.intent === 'explain-failed-run' && namedIn(id).some(({ named }) => named.words === '')
  return isAny ? { ...read, input } : read
}

const withoutRepeats = <T extends { id: string }>(records: readonly T[]): T[] =>
  records.filter(({ id }, at) => records.findIndex((each) => each.id === id) === at)

export const builtInAssistant: Assistant = assistantWith(understand)
