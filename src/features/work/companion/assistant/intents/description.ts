import type { Said } from './said.ts'

/** Words that join the parts of a request and begin or end no description. */
const joints = new Set(
  `for of at the a an to on and with about in by from per each worth is it plus + - : , . ; & please pls plz need want get due as i we you my our me regarding re
   hours hour hrs hr units unit pcs pieces days day x
   within payable לתשלום תוך על של עבור בעבור בשביל ב ל מ ו את עם כל שעות שעה יחידות יחידה ימים יום לפי בסך סך בגין תמורת`.split(
    /\s+/,
  ),
)

/**
 * What a line is for: the words of the sentence that are neither the request nor the customer, an amount or a time. The longest
 * sequence of them counts, and quotes before everything.
 */
export function descriptionOf(said: Said, customer: string): string {
  const quoted = said.slots.quoted.map(({ text }) => text).find((text) => text !== customer)
  if (quoted) return quoted
  const place = (run: string): number => (isFor(said.text, run) ? 1_000 : 0) + run.length
  const best = runsOf(said, customer).toSorted((a, b) => place(b) - place(a))[0]
  return best ?? (said.slots.language === 'he' ? 'שירותים' : 'Services')
}

/** "For", "of" and the like lead to what is billed; so does the amount. */
const isFor = (text: string, run: string): boolean =>
  /(\b(for|of|on)\s+(the\s+|an?\s+)?|(על|עבור|בגין|בשביל|של)\s+|[\d₪$€](\s*(ש"ח|שקל|שקלים|nis|ils|usd|dollars|shekels))?[\s,]+)$/i.test(
    text.slice(0, text.indexOf(run)),
  )

function runsOf(said: Said, customer: string): string[] {
  const { text, tokens } = said
  const runs: { start: number; end: number }[] = []
  let current: { start: number; end: number } | undefined
  for (const token of tokens) {
    const isFree = isFreeToken(said, token.start, token.end, customer)
    const isJoint = joints.has(token.text)
    if (!isFree || (isJoint && !current)) {
      if (!isFree && current) runs.push(current)
      if (!isFree) current = undefined
      continue
    }
    if (!isJoint) current = { start: current?.start ?? token.start, end: token.end }
  }
  if (current) runs.push(current)
  return runs.map(({ start, end }) => withoutLetter(text.slice(start, end).trim())).filter((run) => run.length > 1)
}

/** In Hebrew "for" is a letter before the word: לייעוץ. It stays where the rest would be too short to be a word. */
const withoutLetter = (text: string): string => (/^(ל|ב)י(?=יעוץ)|^ב(?=ייעוץ)/.test(text) ? text.slice(1) : text)

const requestWords = new Set(
  `document invoice receipt invoiceReceipt request customer create draft bill issue send plusTax withTax noTax vat please list
   me generate draftState dueSoon payables tax all it them cash transferMethod cheque card bit`.split(/\s+/),
)

/** In "a new deck" the word is part of what is billed, in "a new invoice" of the request. */
function isNew({ tokens, hits }: Said, start: number): boolean {
  const at = tokens.findIndex((token) => token.start === start)
  if (!/^(new|חדש|חדשה|חדשים|חדשות)$/.test(tokens[at]?.text ?? '')) return false
  const isRequest = (place: number) =>
    hits.some(
      ({ first, end, concepts }) => first <= place && place < end && concepts.some((each) => requestWords.has(each)),
    )
  return at > 1 && !isRequest(at - 1) && !isRequest(at + 1)
}

function isFreeToken(said: Said, start: number, end: number, customer: string): boolean {
  const { slots, hits, tokens, text } = said
  const spans = [
    ...slots.amounts,
    ...slots.periods,
    ...slots.durations,
    ...slots.emails,
    ...slots.numbers,
    ...slots.rates.percents,
    ...slots.quantities,
  ]
  if (spans.some((span) => start >= span.start && end <= span.end)) return false
  const at = customer === '' ? -1 : text.indexOf(customer)
  if (at >= 0 && start < at + customer.length && end > at) return false
  const hit = hits.find(
    ({ first, end: last }) => (tokens[first]?.start ?? 0) <= start && end <= (tokens[last - 1]?.end ?? 0),
  )
  return isNew(said, start) || !hit?.concepts.some((concept) => requestWords.has(concept))
}
