import type { Language } from '../../../../core/values/language.ts'

/** What a preview warns of, in Hebrew; it is data in English. */
const inHebrew: Readonly<Record<string, string>> = {
  'It is not allocated to a document: the documents of the customer stay open.':
    'התשלום אינו משויך למסמך: המסמכים של הלקוח נשארים פתוחים.',
  'The customer has no e-mail address, so no receipt will be sent.': 'ללקוח אין כתובת דוא״ל, ולכן לא תישלח קבלה.',
}

export const warningIn = (language: Language, warning: string): string =>
  language === 'he' ? (inHebrew[warning] ?? warning) : warning
