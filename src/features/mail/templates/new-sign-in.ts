import type { Language } from '../../../core/values/language.ts'
import { toLine } from '../../../core/values/line.ts'
import type { Content } from '../delivery.ts'
import { renderEmail } from './layout.ts'

type NewSignIn = { name: string /** As the person reads it. */; when: string; device: string; address: string }

/** Tells somebody that their account was used from somewhere new. */
export function newSignIn(language: Language, data: NewSignIn): Content {
  const [name, when, device, address] = [data.name, data.when, data.device, data.address].map((text) => toLine(text))
  const words = {
    en: {
      subject: 'A new sign-in to your account',
      paragraphs: [
        `Hello ${name},`,
        `Somebody signed in to your account: ${when}, ${device}, from ${address}.`,
        'If it was not you, change your password; that ends every session.',
      ],
      footnote: 'If it was you, there is nothing to do.',
    },
    he: {
      subject: 'כניסה חדשה לחשבון שלך',
      paragraphs: [
        `שלום ${name},`,
        `התבצעה כניסה לחשבון שלך: ${when}, ${device}, מהכתובת ${address}.`,
        'אם זה לא היה מצדך, יש להחליף סיסמה; כל הכניסות הפעילות יסתיימו.',
      ],
      footnote: 'אם הכניסה שלך, אין צורך לעשות דבר.',
    },
  }[language]
  return renderEmail({ language, sender: 'Kontor', ...words })
}
