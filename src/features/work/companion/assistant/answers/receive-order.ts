import { fitOfWords } from '../../../../../core/names/names.ts'
import { type Steps, type Talk, tryCall } from '../talk.ts'
import type { Then } from '../understood.ts'
import type { Data } from './rows.ts'

type OrderLine = { id: string; description: string | null; itemName?: string | null }

/** The lines of an order that came in part, by the words that the person counts. It is asked for what fits no line or several. */
export async function* completeDelivery(
  talk: Talk,
  input: Data,
  parts: NonNullable<Then['parts']>,
): Steps<Data | { missing: string }> {
  const order = (yield* tryCall(talk, 'orders_get', { id: input.id })) as { lines?: OrderLine[] } | undefined
  const lines = parts.map(({ quantity, what }) => ({ lineId: lineFor(order?.lines ?? [], what)?.id, quantity }))
  return lines.some(({ lineId }) => lineId === undefined) ? { missing: 'order-line' } : { ...input, lines }
}

function lineFor(lines: readonly OrderLine[], what: string): OrderLine | undefined {
  if (what === '') return lines.length === 1 ? lines[0] : undefined
  const fits = lines.filter(({ description, itemName }) =>
    [description, itemName].some((name) => name && ['same', 'part', 'close'].includes(fitOfWords(what, name))),
  )
  return fits.length === 1 ? fits[0] : undefined
}
