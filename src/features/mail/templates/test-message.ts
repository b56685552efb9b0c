import type { Language } from '../../../core/values/language.ts'
import { toLine } from '../../../core/values/line.ts'
import type { Content } from '../delivery.ts'
import { renderEmail } from './layout.ts'

/** Shows that mail arrives. */
export function testMessage(language: Language, data: { organizationName: string }): Content {
  const organization = toLine(data.organizationName)
  const words = {
    en: {
      subject: `Test message from ${organization}`,
      paragraphs: ['Hello,', `This is a test. If you can read it, mail from ${organization} arrives.`],
      footnote: 'Sent because somebody asked for a test message. There is nothing to do.',
    },
    he: {
      subject: `הודעת ניסיון מאת ${organization}`,
      paragraphs: ['שלום,', `זוהי הודעת ניסיון. אם היא הגיעה אליך, הדואר של ${organization} פועל.`],
      footnote: 'ההודעה נשלחה כי התבקשה הודעת ניסיון. אין צורך לעשות דבר.',
    },
  }[language]
  return renderEmail({ language, sender: organization, ...words })
}
