import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import type { Content } from '../../../platform/mail/delivery.ts'
import { renderEmail } from '../../../platform/mail/templates/layout.ts'
import { monthText } from '../print/to-payslip-model.ts'

type Mailed = { language: Language; organization: string; month: string }

/** The e-mail that sends a payslip to its employee as PDF. It has no figure of the pay: others may see the subject and the text. */
export function payslipEmail({ language, organization: name, month }: Mailed): Content {
  const texts = words[language]
  const organization = toLine(name)
  const named = monthText(month, language)
  return renderEmail({
    language,
    sender: organization,
    subject: texts.subject(named, organization),
    paragraphs: [texts.hello, texts.introduction(named, organization)],
    footnote: texts.footnote(organization),
  })
}

const words = {
  en: {
    subject: (month: string, organization: string) => `Payslip for ${month} from ${organization}`,
    hello: 'Hello,',
    introduction: (month: string, organization: string) =>
      `Your payslip of ${organization} for ${month} is enclosed as PDF.`,
    footnote: (organization: string) => `Sent by ${organization}. If you have a question, reply to this message.`,
  },
  he: {
    subject: (month: string, organization: string) => `תלוש שכר לחודש ${month} מאת ${organization}`,
    hello: 'שלום,',
    introduction: (month: string, organization: string) =>
      `תלוש השכר שלך מאת ${organization} לחודש ${month} מצורף כקובץ PDF.`,
    footnote: (organization: string) => `נשלח על ידי ${organization}. בכל שאלה אפשר להשיב להודעה זו.`,
  },
} satisfies Record<Language, object>
