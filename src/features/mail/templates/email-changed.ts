import { toLine } from '../../../core/line.ts'
import type { Content } from '../delivery.ts'
import { type Language, letter } from './letter.ts'

type EmailChanged = { name: string; newEmail: string }

/** Tells the old address that the account has another one now. */
export function emailChanged(language: Language, data: EmailChanged): Content {
  const name = toLine(data.name)
  const newEmail = toLine(data.newEmail)
  const words = {
    en: {
      subject: 'Your e-mail address was changed',
      paragraphs: [`Hello ${name},`, `Your account has another e-mail address now: ${newEmail}.`],
      footnote: 'If that was not you, write to whoever runs this server at once.',
    },
    he: {
      subject: 'כתובת הדואר שלך הוחלפה',
      paragraphs: [`שלום ${name},`, `לחשבון שלך יש מעכשיו כתובת דואר אחרת: ${newEmail}.`],
      footnote: 'אם לא ביקשת זאת, יש לפנות מיד למי שמפעיל את השרת הזה.',
    },
  }[language]
  return letter({ language, sender: 'Kontor', ...words })
}
