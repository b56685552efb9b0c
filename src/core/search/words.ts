/** The words of a text in lower case; `bankAccounts` and `bank_accounts` are two words. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\u0591-\u05c7]/g, '') // Hebrew vowel points
    .replaceAll(/(?<=\p{L})['’"״׳](?=\p{L})/gu, '')
    .match(/\p{L}+|\p{N}+/gu) ?? []

/** Words that say nothing about what is wanted. */
const fillers = new Set(
  `a an the of to for in on at by with from and or is are was be it its this that these i me my we our us you your can could should
   would do does did how what which please want need some any all one ones there their them they has have had as into if when who
   של את על עם אני אנחנו לי לנו זה זאת הזה הזאת כל יש אין איך מה או גם רוצה צריך אפשר מי`.split(/\s+/),
)

export const isFiller = (word: string): boolean => fillers.has(word)

/** The forms under which a word is found, so that its inflections meet. A Hebrew word may begin with letters that are not its own. */
export function formsOf(word: string): string[] {
  if (!/^\p{Script=Hebrew}/u.test(word)) return [englishStem(word)]
  const inner = word.replace(/^(וה|וב|ול|שה|מה|כש|[והבלמשכ])(?=.{3})/u, '')
  return [...new Set([word, inner].map(hebrewStem))]
}

/** Reminders, reminded and reminding become remind. */
function englishStem(word: string): string {
  if (word.length < 4) return word
  const cut = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/(?<![su])s$/, '')
    .replace(/(?<=.{3})(ing|ed|er)$/, '')
  const single = /(bb|dd|gg|mm|nn|pp|rr|tt)$/.test(cut) ? cut.slice(0, -1) : cut
  return single.length > 3 ? single.replace(/e$/, '') : single
}

/** Endings of the plural and of the feminine are cut, and a final letter is written as inside a word. */
const hebrewStem = (word: string) =>
  (word.length > 3 ? word.replace(/(יות|ות|ים|ת|ה|י)$/u, '') : word).replace(
    /[ךםןףץ]$/u,
    (letter) => finals[letter] ?? letter,
  )

const finals: Record<string, string> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }

/** Whether two words differ by one letter more, less or changed, or by two neighbours exchanged: a typing error. */
export function isTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 4) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  if (restA.slice(1) === restB || restB.slice(1) === restA || restA.slice(1) === restB.slice(1)) return true
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
}
