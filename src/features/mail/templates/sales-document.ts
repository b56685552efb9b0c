import { toLine } from '../../../core/line.ts'
import type { Content } from '../delivery.ts'
import { type Language, letter } from './letter.ts'

type Data = {
  organizationName: string
  /** INVOICE, RECEIPT, …: how it is called is for the language to say. */
  documentType: string
  number: string
  total: string
  dueDate: string | null
  /** Where to pay, one fact a line. */
  account: string[]
  notes: string | null
}

/** A sales document for a customer, as long as there is no picture of it to attach. */
export function salesDocument(language: Language, data: Data): Content {
  const organization = toLine(data.organizationName)
  const { en, he } = called[data.documentType] ?? { en: 'Document', he: 'מסמך' }
  const [number, total] = [toLine(data.number), toLine(data.total)]
  const words = {
    en: {
      subject: `${en} ${number} from ${organization}`,
      paragraphs: [
        'Hello,',
        `${organization} sends you ${en.toLowerCase()} ${number} over ${total}.`,
        ...(data.dueDate ? [`Due on ${data.dueDate}.`] : []),
        ...data.account.map((fact) => toLine(fact)),
        ...(data.notes ? [toLine(data.notes)] : []),
      ],
      footnote: `Sent by ${organization}. Please write to them with any question about it.`,
    },
    he: {
      subject: `${he} ${number} מאת ${organization}`,
      paragraphs: [
        'שלום,',
        `להלן פרטי ${he} ${number} מאת ${organization} על סך ${total}.`,
        ...(data.dueDate ? [`לתשלום עד ${data.dueDate}.`] : []),
        ...data.account.map((fact) => toLine(fact)),
        ...(data.notes ? [toLine(data.notes)] : []),
      ],
      footnote: `נשלח על ידי ${organization}. לכל שאלה יש לפנות אליהם.`,
    },
  }[language]
  return letter({ language, sender: organization, ...words })
}

const called: Record<string, Record<Language, string>> = {
  INVOICE: { en: 'Invoice', he: 'חשבונית' },
  RECEIPT: { en: 'Receipt', he: 'קבלה' },
  INVOICE_RECEIPT: { en: 'Invoice and receipt', he: 'חשבונית קבלה' },
  PAYMENT_REQUEST: { en: 'Payment request', he: 'דרישת תשלום' },
  CREDIT_MEMO: { en: 'Credit memo', he: 'חשבונית זיכוי' },
  DEBIT_MEMO: { en: 'Debit memo', he: 'חשבונית חיוב' },
}
