import { type English, formatAmount, formatDay } from '../../../../core/values/format.ts'
import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import type { Content } from '../../../platform/mail/delivery.ts'
import { renderEmail } from '../../../platform/mail/templates/layout.ts'

export type SalesDocument = {
  /** The sender name of the organization. */
  organizationName: string
  /** INVOICE, RECEIPT, …: decides on the introduction. */
  documentType: string
  /** The title of the document in the language of the e-mail. */
  title: string
  number: string
  /** The English of the organization's country, in which amounts and days are written. */
  english?: English | undefined
  currency: string
  total: number
  /** The open balance. */
  open: number
  /** What credit memos have taken off. */
  credited: number
  dueDate: string | null
  /** The bank account to pay to. */
  account: string[]
  notes: string | null
  /** The link to the public page. */
  url: string
  /** A reminder of what is open, with the days since it was due: negative before that, null without a due date. */
  reminder?: { daysLate: number | null } | undefined
  /** The sender's own words for this letter. */
  subject?: string | undefined
  message?: string | undefined
}

/** The e-mail that sends a sales document to a customer: amount, due date, bank account and link. */
export function salesDocument(language: Language, data: SalesDocument): Content {
  const texts = words[language]
  const [organization, number] = [toLine(data.organizationName), toLine(data.number)]
  const amount = (value: number) => formatAmount(language, value, data.currency, data.english)
  const title = `${data.title} ${number}`
  const isOwed = data.open > 0 && !notOwedTypes.includes(data.documentType)
  const isCredited = data.open === 0 && data.credited > 0
  const facts = [
    { label: texts.amount, value: amount(data.total) },
    ...(isOwed && data.open !== data.total ? [{ label: texts.open, value: amount(data.open) }] : []),
    ...(isOwed && data.dueDate ? [{ label: texts.due, value: formatDay(language, data.dueDate, data.english) }] : []),
    ...(isOwed && data.account.length > 0
      ? [{ label: texts.account, value: data.account.map((part) => toLine(part)).join(', ') }]
      : []),
  ]
  const inSentence = `${texts.inSentence(data.title)} ${number}`
  const usual = () =>
    data.reminder
      ? [texts.hello, ...reminderParagraphs(language, data, { title: inSentence, open: amount(data.open) })]
      : [texts.hello, introductionOf(texts, data)(inSentence, organization), ...(isCredited ? [texts.credited] : [])]
  return renderEmail({
    language,
    sender: organization,
    subject: data.subject ?? (data.reminder ? texts.reminder : texts).subject(title, organization),
    paragraphs: data.message === undefined ? usual() : paragraphsOf(data.message),
    facts,
    after: data.notes ? [toLine(data.notes)] : [],
    action: { label: texts.view, url: data.url },
    footnote: texts.footnote(organization),
  })
}

/** A request of which nothing is open asks for nothing, and a receipt without a payment thanks for none. */
function introductionOf({ introduction }: Words, { documentType, open }: SalesDocument): Sentence {
  const isReceipt = documentType === 'RECEIPT' || documentType === 'INVOICE_RECEIPT'
  const isPlain = isReceipt ? open > 0 : documentType === 'PAYMENT_REQUEST' && open === 0
  return (isPlain ? undefined : introduction[documentType]) ?? introduction.INVOICE
}

function reminderParagraphs(
  language: Language,
  { dueDate, english, reminder }: SalesDocument,
  { title, open }: { title: string; open: string },
): string[] {
  const { reminder: texts } = words[language]
  const daysLate = reminder?.daysLate ?? null
  const due = dueDate && daysLate !== null ? ` ${texts.due(formatDay(language, dueDate, english), daysLate)}` : ''
  return [`${texts.open(title, open)}${due}`, texts.paidAlready]
}

/** The words of a person: paragraphs are separated by empty lines, and keep the line breaks inside them. */
const paragraphsOf = (message: string): string[] =>
  message
    .split(/\r?\n(?:[^\S\n]*\r?\n)+/)
    .map((paragraph) =>
      paragraph
        .split(/\r?\n/)
        .map((line) => toLine(line, message.length))
        .join('\n')
        .trim(),
    )
    .filter((paragraph) => paragraph !== '')

/** Types that never ask for a payment. */
export const notOwedTypes = ['RECEIPT', 'INVOICE_RECEIPT', 'CREDIT_MEMO']

type Sentence = (title: string, organization: string) => string
type Words = {
  subject: Sentence
  hello: string
  /** The title of a document within a sentence. */
  inSentence(title: string): string
  introduction: Record<string, Sentence> & { INVOICE: Sentence }
  /** Nothing is open, because of credit memos. */
  credited: string
  amount: string
  open: string
  due: string
  account: string
  view: string
  footnote: (organization: string) => string
  reminder: {
    subject: Sentence
    open(title: string, amount: string): string
    /** When it was or will be due; the days are negative before. */
    due(day: string, daysLate: number): string
    paidAlready: string
  }
}

const words: Record<Language, Words> = {
  en: {
    subject: (title, organization) => `${title} from ${organization}`,
    hello: 'Hello,',
    inSentence: (title) => title.toLowerCase(),
    introduction: {
      INVOICE: (title, organization) => `${organization} has sent you ${title}.`,
      RECEIPT: (title, organization) => `Thank you for your payment. ${organization} has sent you ${title} for it.`,
      INVOICE_RECEIPT: (title, organization) => `Thank you for your payment. Here is ${title} from ${organization}.`,
      PAYMENT_REQUEST: (title, organization) => `${organization} asks you to pay ${title}.`,
      CREDIT_MEMO: (title, organization) => `${organization} has issued ${title} to you.`,
      DEBIT_MEMO: (title, organization) => `${organization} has corrected an earlier document with ${title}.`,
    },
    credited: 'Nothing is owed for it: it was credited.',
    amount: 'Amount',
    open: 'Still open',
    due: 'Due on',
    account: 'Pay to',
    view: 'View the document',
    footnote: (organization) =>
      `Sent by ${organization}. If you have a question, reply to this message or write on the page of the document. Anyone with the link can open it.`,
    reminder: {
      subject: (title, organization) => `Reminder: ${title} from ${organization}`,
      open: (title, amount) => `This is a reminder: ${amount} is still open for ${title}.`,
      due: (day, days) => {
        if (days <= 0) return days === 0 ? 'It is due today.' : `It is due on ${day}.`
        return `It was due on ${day}, ${days === 1 ? 'one day' : `${days} days`} ago.`
      },
      paidAlready: 'If you have already paid, there is nothing more to do. Thank you.',
    },
  },
  he: {
    subject: (title, organization) => `${title} מאת ${organization}`,
    hello: 'שלום,',
    inSentence: (title) => title,
    introduction: {
      INVOICE: (title, organization) => `קיבלת ${title} מאת ${organization}.`,
      RECEIPT: (title, organization) => `תודה על התשלום. מצורפת ${title} מאת ${organization}.`,
      INVOICE_RECEIPT: (title, organization) => `תודה על התשלום. להלן ${title} מאת ${organization}.`,
      PAYMENT_REQUEST: (title, organization) => `קיבלת בקשה לתשלום מאת ${organization}: ${title}.`,
      CREDIT_MEMO: (title, organization) => `קיבלת זיכוי מאת ${organization}: ${title}.`,
      DEBIT_MEMO: (title, organization) => `קיבלת תיקון למסמך קודם מאת ${organization}: ${title}.`,
    },
    credited: 'אין יתרה לתשלום: המסמך זוכה.',
    amount: 'סכום',
    open: 'יתרה לתשלום',
    due: 'לתשלום עד',
    account: 'לתשלום אל',
    view: 'צפייה במסמך',
    footnote: (organization) =>
      `נשלח על ידי ${organization}. בכל שאלה אפשר להשיב להודעה זו או לכתוב בעמוד המסמך. כל מי שהקישור בידיו יכול לפתוח אותו.`,
    reminder: {
      subject: (title, organization) => `תזכורת: ${title} מאת ${organization}`,
      open: (title, amount) => `זוהי תזכורת: טרם שולמה יתרה של ${amount} עבור ${title}.`,
      due: (day, days) => {
        if (days <= 0) return days === 0 ? 'מועד התשלום הוא היום.' : `מועד התשלום הוא ${day}.`
        return `מועד התשלום היה ${day}, לפני ${days === 1 ? 'יום אחד' : days === 2 ? 'יומיים' : `${days} ימים`}.`
      },
      paidAlready: 'אם כבר שילמתם, אין צורך לעשות דבר. תודה.',
    },
  },
}
