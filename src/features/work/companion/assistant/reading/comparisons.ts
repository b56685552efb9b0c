import { isOneOf, setOf, type Token } from './words.ts'

/** `from` and `to` include the amount, `over` and `under` do not. */
export type Comparison = 'exactly' | 'over' | 'under' | 'from' | 'to'

const words: readonly (readonly [Comparison, ReadonlySet<string>])[] = [
  ['over', setOf('over above exceeding exceeds exceed > מעל')],
  ['under', setOf('under below beneath < מתחת')],
  ['from', setOf('minimum min ≥ לפחות מינימום')],
  ['to', setOf('maximum max upto ≤ עד מקסימום')],
]
const less = setOf('less fewer smaller lower cheaper פחות קטן קטנה קטנים קטנות נמוך נמוכה נמוכים נמוכות זול')
const more = setOf('more greater bigger larger higher great יותר גדול גדולה גדולים גדולות גבוה גבוהה גבוהים גבוהות')

/** The comparison that ends before the number, and where its words begin. `start` is the Hebrew letter before the number, if any. */
export function comparisonBefore(
  tokens: readonly Token[],
  start: number,
  first: number,
): { comparison: Comparison; start: number } | undefined {
  const [last, before] = [tokens[start - 1], tokens[start - 2]]
  if (last?.text === '=' && /^[<>]$/.test(before?.text ?? ''))
    return { comparison: before?.text === '>' ? 'from' : 'to', start: start - 2 }
  const isNot = (at: number) => /^(no|not|לא)$/.test(tokens[at]?.text ?? '')
  if (last?.text === 'than') {
    const isLess = isOneOf(before, less)
    if (isNot(start - 3)) return { comparison: isLess ? 'from' : 'to', start: start - 3 }
    return { comparison: isLess ? 'under' : 'over', start: start - 2 }
  }
  if (last?.text === 'least' || last?.text === 'most')
    return before?.text === 'at' ? { comparison: last.text === 'least' ? 'from' : 'to', start: start - 2 } : undefined
  if (last?.text === 'to' && before?.text === 'up') return { comparison: 'to', start: start - 2 }
  if (last?.text === 'היותר' && before?.text === 'לכל') return { comparison: 'to', start: start - 2 }
  const isFromLetter = tokens[start]?.text === 'מ' && start < first
  if (isFromLetter || /^מ/.test(tokens[first]?.text ?? '')) {
    if (isOneOf(last, more))
      return { comparison: isNot(start - 2) ? 'to' : 'over', start: isNot(start - 2) ? start - 2 : start - 1 }
    if (isOneOf(last, less))
      return { comparison: isNot(start - 2) ? 'from' : 'under', start: isNot(start - 2) ? start - 2 : start - 1 }
  }
  const found = words.find(([, set]) => isOneOf(last, set))
  return found && { comparison: found[0], start: start - 1 }
}

/** 5000 or more, 5000+, 5000 ומעלה. */
export function comparisonAfter(
  tokens: readonly Token[],
  end: number,
): { comparison: Comparison; end: number } | undefined {
  const [next, second] = [tokens[end]?.text ?? '', tokens[end + 1]?.text ?? '']
  if (next === '+' && tokens[end]?.isGlued && !tokens[end + 1]?.isGlued) return { comparison: 'from', end: end + 1 }
  if (next === 'ומעלה') return { comparison: 'from', end: end + 1 }
  if (next === 'ומטה') return { comparison: 'to', end: end + 1 }
  if (/^(or|and|או)$/.test(next) && /^(more|up|above|over|higher|יותר)$/.test(second))
    return { comparison: 'from', end: end + 2 }
  if (/^(or|and|או)$/.test(next) && /^(less|under|below|lower|פחות)$/.test(second))
    return { comparison: 'to', end: end + 2 }
  return undefined
}
