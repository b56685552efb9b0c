import { editDistance } from '../../../../core/values/edit-distance.ts'
import { type LabelKind, phrases } from './phrases.ts'

export type Label = { kind: LabelKind; text: string; start: number; end: number; edits: number }

/** Letters alone, upper case, so that blanks, points and quotation marks make no difference. */
const lettersOf = (text: string): string => text.toUpperCase().replace(/[^A-Z\u05d0-\u05ea]/g, '')

/** One bit for each letter that occurs. Each edit changes at most two of them, which rules out most phrases at once. */
function bitsOf(letters: string): number {
  let bits = 0
  for (let at = 0; at < letters.length; at++) bits |= 1 << (letters.charCodeAt(at) % 31)
  return bits
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

const byLength: { kind: LabelKind; letters: string; bits: number }[][] = []
for (const [kind, texts] of Object.entries(phrases) as [LabelKind, readonly string[]][]) {
  for (const text of texts) {
    const letters = lettersOf(text)
    byLength[letters.length] = [...(byLength[letters.length] ?? []), { kind, letters, bits: bitsOf(letters) }]
  }
}
const longest = byLength.length - 1

/** How many letters of a label may be misread. Short words have close neighbours, such as cash and case. */
const allowedEdits = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2)

type Piece = { letters: string; start: number; end: number }

/** Runs of letters and the number sign, which stands for NO. Digits that look like letters count as such between letters: T0TAL, CA5H. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  for (const match of text.matchAll(
    /#|[A-Za-z]['A-Za-z0158|]*[A-Za-z](?:[158|](?![0-9.,]))?|[A-Za-z]|[א-ת]["'.א-ת]*[א-ת]|[א-ת]/g,
  )) {
    const letters = lettersOf(match[0].replace(/0/g, 'O').replace(/[1|]/g, 'I').replace(/5/g, 'S').replace(/8/g, 'B'))
    const start = match.index
    pieces.push({ letters: match[0] === '#' ? 'NO' : letters, start, end: start + match[0].length })
  }
  return pieces
}

/** The labels of a row, from its start to its end; where several fit, the longest. */
export function labelsIn(text: string): Label[] {
  const pieces = piecesOf(text)
  const labels: Label[] = []
  for (let first = 0; first < pieces.length; ) {
    const label = labelAt(text, pieces, first)
    if (label) labels.push(label.label)
    first += label?.pieces ?? 1
  }
  return labels
}

const widest = 5

function labelAt(text: string, pieces: readonly Piece[], first: number): { label: Label; pieces: number } | undefined {
  let best: { label: Label; pieces: number } | undefined
  let letters = ''
  for (let at = first; at < Math.min(pieces.length, first + widest); at++) {
    const piece = pieces[at]
    const start = pieces[first]?.start ?? 0
    if (!piece || (at > first && !/^[ .:'"()/,&-]{0,3}$/.test(text.slice(pieces[at - 1]?.end ?? 0, piece.start)))) break
    letters += piece.letters
    if (letters.length > longest + 4) break
    const match = phraseOf(letters)
    const isBetter =
      match && (!best || match.edits <= best.label.edits || match.letters.length >= best.label.text.length + 4)
    if (isBetter) {
      const label = { kind: match.kind, text: match.letters, start, end: piece.end, edits: match.edits }
      best = { label, pieces: at - first + 1 }
    }
  }
  return best
}

type Match = { kind: LabelKind; letters: string; edits: number }

const known = new Map<string, Match | null>()
const knownLimit = 5_000

/** The phrase that these letters are, perhaps with a currency at the end that was read without a blank. */
function phraseOf(letters: string): Match | null {
  const before = known.get(letters)
  if (before !== undefined) return before
  const bare = letters.replace(/(?:RM|SGD|USD|NIS|MYR|ILS)$/, '')
  const match = closest(letters) ?? (bare.length >= 3 && bare !== letters ? closest(bare) : null)
  if (known.size > knownLimit) known.clear()
  known.set(letters, match)
  return match
}

function closest(letters: string): Match | null {
  let best: Match | null = null
  const bits = bitsOf(letters)
  for (let length = Math.max(1, letters.length - 2); length <= letters.length + 2; length++) {
    const most = allowedEdits(Math.min(length, letters.length))
    if (Math.abs(length - letters.length) > most) continue
    for (const phrase of byLength[length] ?? []) {
      const limit = Math.min(most, best ? best.edits - 1 : most)
      if (limit < 0) return best
      if (countBits(bits ^ phrase.bits) > 2 * limit) continue
      const edits = editDistance(letters, phrase.letters, limit)
      if (edits <= limit) best = { kind: phrase.kind, letters: phrase.letters, edits }
    }
  }
  return best
}
