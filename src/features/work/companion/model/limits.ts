import type { ModelBudget, ModelUsage } from '../../../../core/outside/conversation.ts'
import type { Language } from '../../../../core/values/language.ts'
import { TurnFailure, type TurnInput } from '../turns/assistant.ts'

/** What one turn may use. Its time is limited by the loop, whose signal ends the conversation. */
export const turnLimits = {
  steps: 20,
  /** Answers of the model, most of which lead to a step, a search or reading on. */
  answers: 30,
  inputTokens: 300_000,
  outputTokens: 32_000,
  /** For one answer. */
  answerTokens: 8_000,
  answerMs: 120_000,
}
export type TurnLimits = typeof turnLimits

type Limit = 'steps' | 'answers' | 'inputTokens' | 'outputTokens' | 'answerTokens' | 'dailyTokens' | 'dailyCost'

const whole = (count: number) => count.toLocaleString('en')

const sentences: Record<Language, Record<Limit, (count: number) => string>> = {
  en: {
    steps: (count) => `I stopped here: one message may take at most ${count} steps. The steps until now are done. Ask for a smaller part.`,
    answers: (count) => `I stopped here: the language model was asked ${count} times for this message, which is the limit. Ask for a smaller part.`,
    inputTokens: (count) => `I stopped here: one message may send the language model at most ${whole(count)} tokens. Ask for a smaller part.`,
    outputTokens: (count) => `I stopped here: the language model may write at most ${whole(count)} tokens for one message. Ask for a smaller part.`,
    answerTokens: (count) => `The answer was cut off: it may have at most ${whole(count)} tokens. Ask for a smaller part.`,
    dailyTokens: (count) => `The organization has used the ${whole(count)} tokens of the language model that it may use in a day. Ask again tomorrow.`,
    dailyCost: () => 'The organization has used the amount that the language model may cost in a day. Ask again tomorrow.',
  },
  he: {
    steps: (count) => `עצרתי כאן: הודעה אחת יכולה לבצע לכל היותר ${count} צעדים. הצעדים עד כה בוצעו. אפשר לבקש חלק קטן יותר.`,
    answers: (count) => `עצרתי כאן: מודל השפה נשאל ${count} פעמים עבור ההודעה הזאת, וזו המגבלה. אפשר לבקש חלק קטן יותר.`,
    inputTokens: (count) => `עצרתי כאן: הודעה אחת יכולה לשלוח למודל השפה לכל היותר ${whole(count)} טוקנים. אפשר לבקש חלק קטן יותר.`,
    outputTokens: (count) => `עצרתי כאן: מודל השפה יכול לכתוב לכל היותר ${whole(count)} טוקנים עבור הודעה אחת. אפשר לבקש חלק קטן יותר.`,
    answerTokens: (count) => `התשובה נקטעה: היא יכולה להכיל לכל היותר ${whole(count)} טוקנים. אפשר לבקש חלק קטן יותר.`,
    dailyTokens: (count) => `הארגון ניצל את ${whole(count)} הטוקנים של מודל השפה שמותר לו לנצל ביום. אפשר לשאול שוב מחר.`,
    dailyCost: () => 'הארגון ניצל את הסכום שמודל השפה רשאי לעלות ביום. אפשר לשאול שוב מחר.',
  },
} // biome-ignore format: a sentence a line

/** Counts what a turn uses, and ends it with a sentence for the person at a limit. */
export function createMeter(
  { text, usage }: Pick<TurnInput, 'text' | 'usage'>,
  budget: ModelBudget,
  limits: TurnLimits = turnLimits,
) {
  const language: Language = /\p{Script=Hebrew}/u.test(text) ? 'he' : 'en'
  const used = { steps: 0, answers: 0, inputTokens: 0, outputTokens: 0 }
  const end = (limit: Limit, count: number): never => {
    throw new TurnFailure(sentences[language][limit](count))
  }
  return {
    /** Before each answer: how many tokens and how long it may take. */
    async nextAnswer(): Promise<{ ms: number; outputTokens: number }> {
      for (const limit of ['answers', 'inputTokens', 'outputTokens'] as const)
        if (used[limit] >= limits[limit]) end(limit, limits[limit])
      const { tokens, costMicros } = await usage.today()
      if (tokens >= budget.dailyTokens) end('dailyTokens', budget.dailyTokens)
      if (budget.dailyCostMicros !== undefined && costMicros >= budget.dailyCostMicros) end('dailyCost', 0)
      used.answers += 1
      return {
        ms: limits.answerMs,
        outputTokens: Math.min(limits.answerTokens, limits.outputTokens - used.outputTokens),
      }
    },
    /** After each answer, also one that failed. */
    async add({ inputTokens, outputTokens }: ModelUsage) {
      used.inputTokens += inputTokens
      used.outputTokens += outputTokens
      await usage.add({ inputTokens, outputTokens, costMicros: costOf({ inputTokens, outputTokens }, budget) })
    },
    /** Before each step. */
    step() {
      if (used.steps >= limits.steps) end('steps', limits.steps)
      used.steps += 1
    },
    cutOff: () => end('answerTokens', limits.answerTokens),
  }
}

export type Meter = ReturnType<typeof createMeter>

/** A price for a million tokens is that many millionths for one. */
const costOf = ({ inputTokens, outputTokens }: ModelUsage, { pricePerMillion: { input, output } }: ModelBudget) =>
  Math.ceil(inputTokens * input + outputTokens * output)
