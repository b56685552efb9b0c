import { formatAmount, formatDay } from '../../../../core/values/format.ts'
import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { Content } from '../../../platform/mail/delivery.ts'
import { renderEmail } from '../../../platform/mail/templates/layout.ts'
import type { PrintLanguage } from '../../../selling/documents/print/print.ts'
import { wordIn } from '../../../selling/documents/print/words.ts'
import type { OrderPrintData } from '../print/print-data.ts'

/** The e-mail that sends an order to a supplier. The order itself is enclosed as PDF. */
export function orderEmail(data: OrderPrintData, requested: PrintLanguage | undefined): Content {
  const { row, issuer, senderName, country } = data
  const language: Language = requested === 'he-en' ? 'he' : (requested ?? data.language)
  const texts = words[language]
  const organization = toLine(senderName ?? issuer.name)
  const title = `${wordIn(language, 'purchaseOrder')} ${row.orderNumber ?? ''}`.trim()
  return renderEmail({
    language,
    sender: organization,
    subject: texts.subject(title, organization),
    paragraphs: [texts.hello, texts.introduction(row.orderNumber ?? '', organization)],
    facts: [
      {
        label: wordIn(language, 'total'),
        value: formatAmount(
          language,
          toMajor(BigInt(row.totalMinor), row.currency),
          row.currency,
          country.writing.english,
        ),
      },
      ...(row.expectedDate
        ? [
            {
              label: wordIn(language, 'expected'),
              value: formatDay(language, row.expectedDate, country.writing.english),
            },
          ]
        : []),
      ...(row.reference ? [{ label: wordIn(language, 'yourReference'), value: toLine(row.reference) }] : []),
    ],
    after: row.notes ? [toLine(row.notes)] : [],
    footnote: texts.footnote(organization),
  })
}

const words = {
  en: {
    subject: (title: string, organization: string) => `${title} from ${organization}`,
    hello: 'Hello,',
    introduction: (number: string, organization: string) =>
      `${organization} has sent you purchase order ${number}. It is enclosed as PDF. Please confirm it by replying to this message.`,
    footnote: (organization: string) => `Sent by ${organization}. If you have a question, reply to this message.`,
  },
  he: {
    subject: (title: string, organization: string) => `${title} מאת ${organization}`,
    hello: 'שלום,',
    introduction: (number: string, organization: string) =>
      `קיבלת הזמנת רכש ${number} מאת ${organization}. ההזמנה מצורפת כקובץ PDF. נא לאשר אותה בתשובה להודעה זו.`,
    footnote: (organization: string) => `נשלח על ידי ${organization}. בכל שאלה אפשר להשיב להודעה זו.`,
  },
} satisfies Record<Language, object>
