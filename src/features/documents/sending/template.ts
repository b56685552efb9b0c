import { formatAmount, formatDay } from '../../../core/values/format.ts'
import type { Language } from '../../../core/values/language.ts'
import { toLine } from '../../../core/values/line.ts'
import type { Content } from '../../mail/delivery.ts'
import { renderEmail } from '../../mail/templates/layout.ts'

export type SalesDocument = {
  /** Under which name the organization sends. */
  organizationName: string
  /** INVOICE, RECEIPT, …: what the letter says about it depends on that. */
  documentType: string
  /** How that is called in the language of the letter. */
  called: string
  number: string
  currency: string
  total: number
  /** What is still to be paid. */
  open: number
  dueDate: string | null
  /** Where to pay, one fact a line. */
  account: string[]
  notes: string | null
  /** The page of the document. */
  url: string
}

/** A sales document for a customer: what it is, how much and until when, and the address of its page. */
export function salesDocument(language: Language, data: SalesDocument): Content {
  const say = words[language]
  const [organization, number] = [toLine(data.organizationName), toLine(data.number)]
  const amount = (value: number) => formatAmount(language, value, data.currency)
  const title = `${data.called} ${number}`
  const aboutIt = say.about[data.documentType] ?? say.about.INVOICE
  const owes = data.open > 0 && !acknowledging.includes(data.documentType)
  const facts = [
    { label: say.amount, value: amount(data.total) },
    ...(owes && data.open !== data.total ? [{ label: say.open, value: amount(data.open) }] : []),
    ...(owes && data.dueDate ? [{ label: say.due, value: formatDay(language, data.dueDate) }] : []),
    ...(owes && data.account.length > 0
      ? [{ label: say.account, value: data.account.map((fact) => toLine(fact)).join(', ') }]
      : []),
  ]
  return renderEmail({
    language,
    sender: organization,
    subject: say.subject(title, organization),
    paragraphs: [say.hello, aboutIt(title, organization)],
    facts,
    after: data.notes ? [toLine(data.notes)] : [],
    action: { label: say.look, url: data.url },
    footnote: say.footnote(organization),
  })
}

/** What asks for no money: it says that some was paid, or gives some back. */
const acknowledging = ['RECEIPT', 'INVOICE_RECEIPT', 'CREDIT_MEMO']

type About = (title: string, organization: string) => string
type Words = {
  subject: About
  hello: string
  about: Record<string, About> & { INVOICE: About }
  amount: string
  open: string
  due: string
  account: string
  look: string
  footnote: (organization: string) => string
}

const words: Record<Language, Words> = {
  en: {
    subject: (title, organization) => `${title} from ${organization}`,
    hello: 'Hello,',
    about: {
      INVOICE: (title, organization) => `${organization} has sent you ${small(title)}.`,
      RECEIPT: (title, organization) =>
        `Thank you for your payment. ${organization} has sent you ${small(title)} for it.`,
      INVOICE_RECEIPT: (title, organization) =>
        `Thank you for your payment. Here is ${small(title)} from ${organization}.`,
      PAYMENT_REQUEST: (title, organization) => `${organization} asks you for a payment: ${small(title)}.`,
      CREDIT_MEMO: (title, organization) => `${organization} has credited you: ${small(title)}.`,
      DEBIT_MEMO: (title, organization) => `${organization} has corrected an earlier document: ${small(title)}.`,
    },
    amount: 'Amount',
    open: 'Still open',
    due: 'Due on',
    account: 'Pay to',
    look: 'Look at the document',
    footnote: (organization) =>
      `Sent by ${organization}. Reply to this message, or write on the page of the document, with any question about it. Whoever has the link can open it.`,
  },
  he: {
    subject: (title, organization) => `${title} מאת ${organization}`,
    hello: 'שלום,',
    about: {
      INVOICE: (title, organization) => `קיבלת ${title} מאת ${organization}.`,
      RECEIPT: (title, organization) => `תודה על התשלום. מצורפת ${title} מאת ${organization}.`,
      INVOICE_RECEIPT: (title, organization) => `תודה על התשלום. להלן ${title} מאת ${organization}.`,
      PAYMENT_REQUEST: (title, organization) => `קיבלת בקשה לתשלום מאת ${organization}: ${title}.`,
      CREDIT_MEMO: (title, organization) => `קיבלת זיכוי מאת ${organization}: ${title}.`,
      DEBIT_MEMO: (title, organization) => `מסמך קודם תוקן על ידי ${organization}: ${title}.`,
    },
    amount: 'סכום',
    open: 'יתרה לתשלום',
    due: 'לתשלום עד',
    account: 'לתשלום אל',
    look: 'צפייה במסמך',
    footnote: (organization) =>
      `נשלח על ידי ${organization}. בכל שאלה אפשר להשיב להודעה זו או לכתוב בעמוד המסמך. כל מי שהקישור בידיו יכול לפתוח אותו.`,
  },
}

/** `Invoice 7` within a sentence. */
const small = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)
