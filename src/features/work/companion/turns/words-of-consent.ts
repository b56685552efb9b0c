/**
 * The texts that count as the person's word. They are compared as a whole: "yes, but…" is something else, and so is "send it",
 * which may mean something other than the question.
 */
const yes = [
  'yes', 'y', 'yes please', 'yep', 'yeah', 'ok', 'okay', 'sure', 'confirm', 'confirmed', 'i confirm', 'go ahead', 'do it', 'yes do it',
  'yes go ahead', 'ok go ahead', 'ok do it', 'please do', 'please go ahead', 'כן', 'כן בבקשה', 'אישור', 'מאשר', 'מאשרת', 'אני מאשר', 'אני מאשרת',
  'בסדר', 'אוקיי', 'אוקי', 'בטח', 'קדימה', 'יאללה', 'סבבה', 'כן יאללה', 'כן סבבה', 'תעשה את זה', 'תעשי את זה', 'כן תעשה', 'כן תעשי',
] // biome-ignore format: a list of words

const no = [
  'no', 'n', 'no thanks', 'nope', 'cancel', 'stop', 'dont', "don't", 'do not', 'never mind', 'nevermind', 'forget it', 'no wait', 'לא', 'לא תודה',
  'בטל', 'בטלי', 'ביטול', 'עצור', 'עצרי', 'עזוב', 'עזבי', 'לא עכשיו', 'אל תעשה', 'אל תעשי',
] // biome-ignore format: a list of words

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[.,!…\s\u200e\u200f]+/gu, ' ')
    .trim()

const [yesTexts, noTexts] = [new Set(yes), new Set(no)]

/** Longer texts say more than yes or no. */
const charactersMax = 40

export const isYes = (text: string): boolean => text.length <= charactersMax && yesTexts.has(plain(text))
export const isNo = (text: string): boolean => text.length <= charactersMax && noTexts.has(plain(text))
