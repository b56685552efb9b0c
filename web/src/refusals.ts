import type { Refused } from './api.ts'
import type { Language } from './words.ts'

/** The sentence of a refusal in the reader's language: by code where there are words for it, else as the server says it. */
export function refusal(
  lang: Language,
  { code, message, params }: Pick<Refused, 'code' | 'message'> & { params?: Params },
): string {
  const known = lang === 'he' ? hebrew[code] : undefined
  return known ? known(params ?? {}) : message
}

/** The sentence of whatever went wrong with a request. */
export const problemText = (lang: Language, error: Error): string =>
  'code' in error ? refusal(lang, error as Refused) : error.message

type Params = Record<string, string | number>

const hebrew: Record<string, (params: Params) => string> = {
  REQUIRED: () => 'שדה חובה.',
  TOO_LONG: ({ max }) => `ארוך מדי: לכל היותר ${max} תווים.`,
  TOO_SHORT: ({ min }) => `קצר מדי: לפחות ${min} תווים.`,
  UNAUTHENTICATED: () => 'צריך להיכנס מחדש.',
  FORBIDDEN: () => 'התפקיד שלכם בארגון אינו מאפשר זאת.',
  NOT_FOUND: () => 'לא נמצא. ייתכן שנמחק.',
  WRONG_PASSWORD: () => 'הסיסמה שגויה.',
  WRONG_CODE: () => 'הקוד שגוי, או שכבר נעשה בו שימוש.',
  SIGN_IN_AGAIN: () => 'הפעולה דורשת כניסה מהשעות האחרונות.',
  RATE_LIMITED: () => 'יותר מדי בקשות. נסו שוב בעוד רגע.',
  UNAVAILABLE: () => 'השירות אינו זמין כרגע. נסו שוב בעוד רגע.',
  INTERNAL: () => 'משהו השתבש אצלנו. נסו שוב.',
}
