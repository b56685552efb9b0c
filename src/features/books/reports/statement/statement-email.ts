import { formatAmount, formatDay } from '../../../../core/values/format.ts'
import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import type { Content } from '../../../platform/mail/delivery.ts'
import { renderEmail } from '../../../platform/mail/templates/layout.ts'
import type { StatementData } from './statement-data.ts'

/** The e-mail that the PDF of a statement is attached to. */
export function statementEmail({ statement, organization, issuer }: StatementData): Content {
  const { language, to, currencies } = statement
  const { english } = organization.rules.writing
  const sender = toLine(issuer.senderName ?? issuer.name)
  const day = formatDay(language, to, english)
  const texts = words[language]
  return renderEmail({
    language,
    sender,
    subject: texts.subject(sender, day),
    paragraphs: [texts.hello, texts.introduction(sender, day)],
    facts: currencies.map(({ currency, closingBalance }) => ({
      label: texts.balance,
      value: formatAmount(language, closingBalance, currency, english),
    })),
    footnote: texts.footnote(sender),
  })
}

type Words = {
  subject(sender: string, day: string): string
  hello: string
  introduction(sender: string, day: string): string
  balance: string
  footnote(sender: string): string
}

const words: Record<Language, Words> = {
  en: {
    subject: (sender, day) => `Statement of account from ${sender}, ${day}`,
    hello: 'Hello,',
    introduction: (sender, day) =>
      `${sender} has sent you your statement of account up to ${day}. It is attached as PDF.`,
    balance: 'Balance',
    footnote: (sender) => `Sent by ${sender}. If you have a question, reply to this message.`,
  },
  he: {
    subject: (sender, day) => `כרטסת לקוח מאת ${sender}, ${day}`,
    hello: 'שלום,',
    introduction: (sender, day) => `מצורפת כרטסת הלקוח שלך מאת ${sender} עד ${day}, כקובץ PDF.`,
    balance: 'יתרה',
    footnote: (sender) => `נשלח על ידי ${sender}. בכל שאלה אפשר להשיב להודעה זו.`,
  },
}
