import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import { mailName } from '../../../../core/values/mail-name.ts'
import type { Content } from '../delivery.ts'
import { renderEmail, somebody } from './layout.ts'

/** Informs the former address of an account about the change, so that a theft is noticed. */
export function emailChanged(language: Language, data: { name: string; email: string }): Content {
  const name = mailName(data.name, somebody[language])
  const email = toLine(data.email)
  const words = {
    en: {
      subject: 'Your e-mail address was changed',
      paragraphs: [
        `Hello ${name},`,
        `Your account is now reached at ${email}. Messages no longer come to this address.`,
        'If it was not you who changed it, write to the people who run this server at once.',
      ],
      footnote: 'Sent to the former address of the account. If you changed it yourself, there is nothing to do.',
    },
    he: {
      subject: 'כתובת הדואר שלך הוחלפה',
      paragraphs: [
        `שלום ${name},`,
        `החשבון שלך מקושר מעתה לכתובת ${email}. הודעות לא יגיעו עוד לכתובת הזאת.`,
        'אם לא החלפת אותה, יש לפנות מיד למי שמפעיל את השרת הזה.',
      ],
      footnote: 'נשלח לכתובת הקודמת של החשבון. אם החלפת אותה בעצמך, אין צורך לעשות דבר.',
    },
  }[language]
  return renderEmail({ language, sender: 'Kontor', ...words })
}
