import { formatAmount, formatDay, formatInstant, formatNumber } from '../../../../core/values/format.ts'
import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import { visible } from '../../../../core/values/visible.ts'
import { countries } from '../../../../countries/countries.ts'
import type { Move, ToolResult, TurnInput } from '../turns/assistant.ts'
import type { RecordKind, ShownRecord } from './understood.ts'

/** Part of a turn: it may say something and call tools, and returns what came of it. */
export type Steps<T = void> = AsyncGenerator<Move, T, ToolResult | undefined>

/** What an answer is told with: the language, how amounts and days are written, and the records that were named so far. */
export type Talk = ReturnType<typeof talkIn>

export function talkIn(language: Language, turn: TurnInput) {
  const { country, currency, timezone } = turn.organization
  const { english } = countries[country].writing
  const shown: ShownRecord[] = []
  let isStarted = false
  const piece = (before: string, text: string) => {
    const say = isStarted ? before + text : text
    isStarted = true
    return { say }
  }
  return {
    language,
    turn,
    shown,
    /** One of two texts, by the language. */
    in: <T>(en: T, he: T): T => (language === 'he' ? he : en),
    money: (amount: number, of: string = currency) => formatAmount(language, amount, of, english),
    day: (day: string) => (/^\d{4}-\d\d-\d\d/.test(day) ? formatDay(language, day.slice(0, 10), english) : day),
    /** `March 2026` for `2026-03`. */
    month: (month: string) => formatMonth(language, month),
    instant: (at: string) => formatInstant(language, at, timezone, english),
    number: (value: number) => formatNumber(language, value),
    percent: (value: number) => `${formatNumber(language, Math.round(value * 10) / 10)}%`,
    /** Text from a record, as data: one line, cut, and kept apart from the direction of the sentence around it. */
    data: (text: string | null | undefined, charactersMax = 80) =>
      isolated(language, toLine(visible(text ?? ''), charactersMax)),
    /** `to Globex`; in Hebrew the preposition is a letter before the word, with a hyphen before other letters. */
    to(text: string | null | undefined) {
      const name = this.data(text)
      return language === 'en' ? `to ${name}` : /^[א-ת]/.test(name) ? `ל${name}` : `ל-${name}`
    },
    /** Notes that the answer has named a record, so that "it" can mean it. */
    show(kind: RecordKind, id: string, name: string) {
      if (!shown.some((each) => each.id === id)) shown.push({ kind, id, name: toLine(visible(name), 80) })
    },
    /** A sentence after the one before. */
    async *say(text: string): Steps {
      if (text !== '') yield piece(' ', text)
    },
    /** A line of its own. */
    async *line(text: string): Steps {
      if (text !== '') yield piece('\n', text)
    },
  }
}

export async function* call({ turn }: Talk, tool: string, input: Record<string, unknown>): Steps<ToolResult> {
  const result = yield { call: tool, input: { ...ownOrganization(turn, tool, input), ...input } }
  return result ?? { ok: false, code: 'INTERNAL', message: 'The tool gave no answer.' }
}

/** Tools about the organization itself have its id in their address. */
const ownOrganization = ({ tools, organization }: TurnInput, tool: string, input: Record<string, unknown>) =>
  input.id === undefined && tools.some(({ name, path }) => name === tool && path.startsWith('/api/organizations/{id}'))
    ? { id: organization.id }
    : {}

/** A call whose failure leaves something out of the answer and does not end it. */
export async function* tryCall(talk: Talk, tool: string, input: Record<string, unknown>): Steps<unknown> {
  const result = yield* call(talk, tool, input)
  return result.ok ? result.output : undefined
}

/** Letters of the other direction within a sentence, or numbers beside them, would move: an isolate keeps them in place. */
const isolated = (language: Language, text: string) =>
  (language === 'he' ? /[A-Za-z0-9]/ : /[\u0590-\u08ff]/).test(text) ? `\u2068${text}\u2069` : text

const formatMonth = (language: Language, month: string) =>
  /^\d{4}-\d\d$/.test(month)
    ? new Intl.DateTimeFormat(language === 'he' ? 'he-IL' : 'en-GB', {
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(new Date(`${month}-01T00:00:00Z`))
    : month
