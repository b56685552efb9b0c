import type { Language } from '../../../core/values/language.ts'

const names = {
  OPENING: { en: 'Opening balance', he: 'יתרת פתיחה' },
  MANUAL: { en: 'Journal entries', he: 'פקודות יומן' },
} as const

/** What a report calls amounts that people entered in the journal, which belong to no document or item. */
export const entryName = (kind: keyof typeof names, language: Language): string =>
  names[kind][language === 'he' ? 'he' : 'en']
