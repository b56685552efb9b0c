import type { Language } from './words.ts'

const asLanguage = (text: string | null): Language | undefined => (text === 'en' || text === 'he' ? text : undefined)

/** A language in the address is what whoever opened it wants to see; it goes before the person's own. */
export const languageOfAddress = () => asLanguage(new URLSearchParams(location.search).get('lang'))

/** Until the session says what the person has chosen: the language of the address, else the last one here, else the browser's. */
export function firstLanguage(): Language {
  const named = languageOfAddress() ?? asLanguage(localStorage.getItem('lang'))
  if (named) return named
  return /^(he|iw)\b/.test(navigator.language) ? 'he' : 'en'
}

export const directionOf = (language: Language) => (language === 'he' ? 'rtl' : 'ltr')

/** The direction of words by their first letter, as browsers find it for text of `dir="auto"`; a placeholder is not looked at by them. */
export const directionOfText = (text: string) => (/^[^\p{L}]*[\u0590-\u08FF]/u.test(text) ? 'rtl' : 'ltr')
