import type { Then } from '../understood.ts'
import type { Said } from './said.ts'

type Parts = NonNullable<Then['parts']>

/** 30 of the 50 boards, 30 boards, 30 מתוך 50 לוחות, 30 לוחות. */
const part =
  /(?<![\p{L}\d-])(?<quantity>\d[\d,]*(?:\.\d+)?)(?:\s+(?:out of|of|מתוך)\s+(?:the\s+)?\d[\d,]*)?(?:\s+(?:of\s+)?(?:the\s+)?(?<what>(?!(?:from|on|for|of|in|at|out|מתוך|בהזמנה|מהזמנה|מההזמנה|להזמנה|מ|של)(?!\p{L}))\p{L}[\p{L}'"]*(?:\s+(?!(?:from|on|for|of|in|at|out|have|has|came|arrived|are|were|and|ו|הגיע|הגיעו|התקבלו|מתוך|בהזמנה|מהזמנה|מההזמנה|להזמנה)(?!\p{L}))\p{L}[\p{L}'"]*)?))?/giu

/** How much of an order has come. Undefined if no quantity is said, which means all that is open. */
export function partsOf({ text, slots }: Said): Parts | undefined {
  let plain = text.replaceAll(/מתוך (?:ה-?)?\d[\d,]*|out of (?:the )?\d[\d,]*/giu, (words) => ' '.repeat(words.length))
  for (const { start, end } of [...slots.numbers, ...slots.periods])
    plain = plain.slice(0, start) + ' '.repeat(end - start) + plain.slice(end)
  const parts = [...plain.matchAll(part)].map(({ groups }) => ({
    quantity: Number((groups?.quantity ?? '').replaceAll(',', '')),
    what: groups?.what?.trim() ?? '',
  }))
  return parts.length > 0 ? parts : undefined
}
