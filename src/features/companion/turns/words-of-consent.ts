/** The texts that count as the person's word. They are compared as a whole: "yes, but…" is something else. */
const yes = [
  'yes', 'y', 'yes please', 'yep', 'yeah', 'ok', 'okay', 'sure', 'confirm', 'confirmed', 'i confirm', 'go ahead', 'do it', 'yes do it',
  'yes go ahead', 'ok go ahead', 'ok do it', 'yes send it', 'please do', 'please go ahead', 'approved', 'send it', 'כן', 'כן בבקשה', 'אישור', 'מאשר', 'מאשרת', 'אני מאשר', 'אני מאשרת', 'אשר', 'אשרי', 'בסדר',
  'אוקיי', 'אוקי', 'בטח', 'קדימה', 'תעשה את זה', 'תעשי את זה', 'כן תעשה', 'כן תעשי', 'כן תשלח', 'כן תשלחי', 'כן תרשום', 'כן תרשמי', 'יאללה', 'סבבה', 'יאללה כן', 'כן יאללה', 'כן סבבה', 'לך על זה',
] // biome-ignore format: a list of words

const no = [
  'no', 'n', 'no thanks', 'nope', 'cancel', 'stop', 'dont', "don't", 'do not', 'never mind', 'nevermind', 'forget it', 'לא', 'לא תודה',
  'בטל', 'בטלי', 'ביטול', 'עצור', 'עצרי', 'עזוב', 'עזבי', 'לא עכשיו', 'אל תעשה', 'אל תעשי',
] // biome-ignore format: a list of words

const plain = (text: string) =>
  text
    .slice(0, 60)
    .toLowerCase()
    .replace(/[.,!?…\s\u200e\u200f]+/gu, ' ')
    .trim()

const [yesTexts, noTexts] = [new Set(yes), new Set(no)]

export const isYes = (text: string): boolean => text.length <= 40 && yesTexts.has(plain(text))
export const isNo = (text: string): boolean => text.length <= 40 && noTexts.has(plain(text))
