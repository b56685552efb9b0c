import type { Said } from './said.ts'

/** How many of what are ordered, and from whom: "order 20 boards and 10 brackets from Northwoods". */
export type Ordered = { lines: { description: string; quantity: number; unitPrice?: number }[]; party?: string }

const verb =
  /(?:^|\s)(?:order|buy|purchase|הזמן|הזמיני|תזמין|תזמיני|להזמין|תקנה|תקני|לקנות|(?:purchase order|PO|הזמנת רכש|הזמנה)\s+(?:for|of|של|על|עבור|ל-?(?=\d)))\s*(?<=[\s\-לא])(?=(?:another\s+|עוד\s+)?\d)(?<rest>.+)$/iu

/** "Order from Northwoods 20 boards", תזמין מדפוס רמון 30 שקיות. */
const partyFirst =
  /(?:^|\s)(?:order|buy|purchase|הזמן|הזמיני|תזמין|תזמיני|להזמין)\s+(?:from\s+|מ-?)(?<party>\p{L}[^\d,;]*?)[\s,:]+(?<things>\d.+)$/iu

const counted =
  /^(?:another\s+|עוד\s+|ועוד\s+)?(?<quantity>\d[\d,]*)\s*(?:x\s|×)?\s*(?<what>\p{L}.*?)(?:\s+(?:at|@|for|ב-|ב־|ב(?=\d)|במחיר)\s*[$₪€£]?(?<price>\d[\d,]*(?:\.\d+)?)\D*)?$/iu

export function orderedIn({ text, slots }: Said): Ordered | undefined {
  let plain = text
  for (const { start, end } of slots.periods) plain = plain.slice(0, start) + ' '.repeat(end - start) + plain.slice(end)
  const line = plain.replaceAll(/\s+/g, ' ').replace(/[.!?\s]+$/, '')
  const rest = verb.exec(line)?.groups?.rest
  const behind = partyFirst.exec(line)?.groups
  if (rest === undefined && behind === undefined) return undefined
  const { things, party } =
    rest === undefined
      ? { things: behind?.things ?? '', party: behind?.party?.replace(/\s+(for|of)$/i, '') }
      : withoutParty(rest)
  const lines = things
    .split(/\s*[,;]\s*|\s+and\s+|\s+plus\s+|\s+ועוד\s+|\s+וגם\s+|\s+ו-?(?=\d)/iu)
    .map((part) => lineOf(part.trim()))
  return lines.every((line) => line !== undefined) && lines.length > 0
    ? { lines, ...(party !== undefined && { party }) }
    : undefined
}

function lineOf(part: string): Ordered['lines'][number] | undefined {
  const { quantity, what, price } = counted.exec(part)?.groups ?? {}
  if (quantity === undefined || what === undefined) return undefined
  const unitPrice = price === undefined ? undefined : Number(price.replaceAll(',', ''))
  const description = what.replace(/^(?:units?|pcs|pieces|יחידות|יח')\s+(?:of\s+|של\s+)?/iu, '').trim()
  return { description, quantity: Number(quantity.replaceAll(',', '')), ...(unitPrice !== undefined && { unitPrice }) }
}

/** In Hebrew "from" is a letter: the last word with it begins the supplier, as מודפסות before it is what is ordered. */
function withoutParty(rest: string): { things: string; party?: string } {
  const english = /^(?<things>.+?)\s+from\s+(?<party>\p{L}[^,;]*?)(?<price>\s+(?:at|@|for)\s+\D?\d[^,;]*)?$/iu.exec(
    rest,
  )?.groups
  if (english) return { things: `${english.things}${english.price ?? ''}`, party: english.party?.trim() ?? '' }
  const hebrew =
    /^(?<things>.*[א-ת].*)\s(?:מהספק\s+|מספק\s+|מאת\s+|מ-)(?<party>\p{L}[^,;]*)$/u.exec(rest)?.groups ??
    /^(?<things>.*[א-ת].*)\sמ(?<party>[א-ת]{3}[^,;\d]*)$/u.exec(rest)?.groups
  return hebrew?.things !== undefined && hebrew.party !== undefined
    ? { things: hebrew.things, party: hebrew.party.trim() }
    : { things: rest }
}
