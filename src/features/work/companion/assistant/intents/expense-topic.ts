import type { Input } from './intent.ts'
import type { Said } from './said.ts'

/** What the expenses are for, or from whom: a category in words such as fuel, or a vendor with a name. */
export function topicOf(said: Said): Input {
  if (said.has('rent')) return { categoryId: { $named: 'category', words: 'שכר דירה', orSearch: true } }
  const topic = said.name('category')
  const vendor = said.name('supplier')
  if (topic === undefined && vendor === undefined) return {}
  if (vendor !== undefined && (isFrom(said, vendor) || (/^\p{Lu}/u.test(vendor) && !isOn(said, vendor))))
    return { search: vendor }
  const words = topic ?? vendor ?? ''
  if (/(^|\s)ב-?$/.test(before(said, words))) return { search: words } // at a shop
  return { categoryId: { $named: 'category', words, orSearch: true } }
}

export const before = ({ text }: Said, name: string): string =>
  text.slice(0, Math.max(0, text.indexOf(name))).toLowerCase()

export const isFrom = (said: Said, name: string): boolean =>
  said.has('supplier') ||
  /(\b(from|at|by|with)\s+|(אצל|ספק|מ-?|חברת)\s*|(שילמנו|שילמתי)\s+ל-?)$/.test(before(said, name)) ||
  (/^\p{Lu}/u.test(name) && /\bto\s+$/.test(before(said, name)))

const isOn = (said: Said, name: string): boolean =>
  /(\b(on|for|category|under)\s+|(על|עבור|קטגוריית|קטגוריה|בשביל)\s*)$/.test(before(said, name))

const entered = `(?:submitted|filed|entered|claimed|logged|uploaded|put in|handed in|added|paid for)`
const enteredHebrew = `(?:הגיש|הגישה|הזין|הזינה|הכניס|הכניסה|העלה|העלתה|רשם|רשמה|הוציא|הוציאה|שילם|שילמה|מכיסו|מכיסה)`

/** Whose expenses: "expenses Noam submitted", "claims by Dana", הוצאות שנועם הגיש, ההוצאות של העובד דני. */
const people: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:${entered} by|\b(?:expenses?|claims?|receipts?) by)\s+(?<name>\p{Lu}[\p{L}']*(?:\s\p{Lu}[\p{L}']*)?)`,
    'u',
  ),
  new RegExp(
    String.raw`(?:expenses?|claims?|receipts?)\s+(?:that\s+)?(?<name>\p{L}+(?:\s\p{Lu}\p{L}+)?)\s+(?:has\s+)?${entered}`,
    'iu',
  ),
  /\bdid (?<name>\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)?) (?:submit|file|enter|claim|put in|spend|expense)\b/u,
  new RegExp(String.raw`(?:הוצאות|ההוצאות|קבלות|הקבלות)\s+ש(?<name>[א-ת]{2,}(?:\s[א-ת]{2,})?)\s+${enteredHebrew}`, 'u'),
  new RegExp(String.raw`${enteredHebrew}\s+(?<name>[א-ת]{2,})(?=\s*\??$)`, 'u'),
  /(?:expenses?|claims?) of (?:the )?employee\s+(?<name>\p{L}+)|(?:הוצאות|ההוצאות) של העובדת?\s+(?<named>[א-ת]{2,})/iu,
]

const notPeople = /^(we|i|you|they|our|the|all|my|are|were|category|vendor|supplier|month)$/i

export function personOf({ text, has }: Said): string | undefined {
  if (!has('expense', 'claim', 'receipt') && !/\bdid \p{Lu}.* submit\b/u.test(text)) return undefined
  for (const words of people) {
    const groups = words.exec(text)?.groups
    const name = groups?.name ?? groups?.named
    if (name !== undefined && !notPeople.test(name)) return name.replace(/'s$/, '')
  }
  return undefined
}
