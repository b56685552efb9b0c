import { type Bill, billOf } from '../einvoices/bill.ts'
import { makePdf, text as printed } from '../fakes/pdfs.ts'
import {
  type AttachedFile,
  composeMail,
  type Mail,
  type MailFields,
  messagePart,
  multipart,
  writeMail,
} from './compose.ts'

/** An e-invoice of a supplier, which is read exactly and at once. */
export const billFile = (bill: Bill = {}): AttachedFile => {
  const { fileName, base64 } = billOf(bill)
  return { name: fileName, type: 'application/xml', content: Buffer.from(base64, 'base64') }
}

/** A PDF with text. */
export const pdfFile = (
  name = 'invoice.pdf',
  lines: readonly string[] = ['Acme Ltd', 'Invoice A-1', 'Total USD 54.00'],
): AttachedFile => ({
  name,
  type: 'application/pdf',
  content: makePdf({
    pages: [{ content: printed(...lines.map((line, at): [string, number, number] => [line, 72, 760 - 20 * at])) }],
  }),
})

/**
 * A message with an invoice attached as an e-invoice. `total` has no tax in it; give `net` and `taxRate` instead for one with
 * tax. The number of the invoice and the Message-ID are different for different `number` and `id`.
 */
export function receiptMail({
  total,
  number = 'A-1',
  vendor,
  bill,
  ...fields
}: MailFields & { total?: number; number?: string; vendor?: string; bill?: Bill; text?: string } = {}): Buffer {
  const given: Bill = {
    number,
    ...(vendor !== undefined && { vendor }),
    ...(total !== undefined && { net: total, taxRate: 0 }),
    ...bill,
  }
  const { text = 'Dear customer,\n\nour invoice is attached.\n\nKind regards\nAcme Ltd' } = fields
  return composeMail({ subject: `Invoice ${number}`, ...fields, text, files: [billFile(given)] })
}

/** A message with a PDF attached. */
export const pdfMail = (fields: MailFields & { name?: string; lines?: readonly string[] } = {}): Buffer =>
  composeMail({ text: 'The invoice is attached.', ...fields, files: [pdfFile(fields.name, fields.lines)] })

/** An HTML message that is itself the receipt. */
export function bodyReceiptMail({
  language = 'en',
  total = '54.00',
  number = 'R-1001',
  ...fields
}: MailFields & { language?: 'en' | 'he'; total?: string; number?: string } = {}): Buffer {
  const isHebrew = language === 'he'
  return composeMail({
    subject: isHebrew ? `קבלה ${number} מקפה אלון` : `Your receipt ${number} from Acme Cloud`,
    from: isHebrew ? 'קפה אלון <kabala@alon.example>' : 'Acme Cloud <receipts@acme.example>',
    ...fields,
    html: isHebrew ? hebrewReceipt(number, total) : englishReceipt(number, total),
  })
}

const englishReceipt = (
  number: string,
  total: string,
) => `<!doctype html><html><head><style>.x{color:red}</style><title>No text</title></head><body>
  <div style="display:none">Hidden preview text</div>
  <table role="presentation"><tr><td><h1>Acme Cloud</h1></td></tr><tr><td>
    <p>Thank you for your payment.</p>
    <table><tr><td>Receipt number</td><td>${number}</td></tr><tr><td>Date paid</td><td>January 20, 2026</td></tr></table>
    <table><tr><th>Description</th><th>Amount</th></tr><tr><td>Team plan</td><td>$${total}</td></tr>
    <tr><td>Total</td><td>$${total}</td></tr></table></td></tr></table>
  <img src="https://tracker.example/pixel.gif" width="1" height="1"><script>alert(1)</script></body></html>`

const hebrewReceipt = (
  number: string,
  total: string,
) => `<div dir="rtl"><h2>קפה אלון בע"מ</h2><p>קבלה מס' ${number}</p><p>תאריך: 20/01/2026</p>
  <table><tr><td>קפה וקרואסון</td><td>${total} ₪</td></tr><tr><td>סה"כ לתשלום</td><td>${total} ₪</td></tr></table><p>שולם בכרטיס אשראי</p></div>`

/** A text message that is itself the receipt. */
export const textReceiptMail = ({
  language = 'en',
  total = '54.00',
  ...fields
}: MailFields & { language?: 'en' | 'he'; total?: string } = {}): Buffer =>
  composeMail({
    subject: language === 'he' ? 'אישור תשלום' : 'Payment receipt',
    ...fields,
    text:
      language === 'he'
        ? `מאפיית הצפון\nקבלה 778\nתאריך 20/01/2026\n\nלחם אחיד    ${total} ₪\nסה״כ    ${total} ₪\n\nתודה`
        : `Northern Bakery\nReceipt no. 778\nDate: 20 January 2026\n\nBread    USD ${total}\nTotal    USD ${total}\n\nThank you`,
  })

export const newsletterMail = (fields: MailFields = {}): Buffer =>
  composeMail({
    subject: 'Spring offers: up to 50 % off',
    from: 'Acme News <news@acme.example>',
    ...fields,
    headers: {
      'List-Unsubscribe': '<https://acme.example/leave>',
      'List-Id': '<news.acme.example>',
      Precedence: 'bulk',
      ...fields.headers,
    },
    html: '<h1>Spring offers</h1><p>Chairs from $49.00, tables from $199.00. Order today and save!</p><p><a href="https://acme.example/leave">Unsubscribe</a></p>',
  })

export const invitationMail = (fields: MailFields = {}): Buffer =>
  writeMail(
    { subject: 'Invitation: budget meeting', ...fields },
    multipart('alternative', [
      { type: 'text/plain; charset=utf-8', content: 'You are invited to the budget meeting.' },
      {
        type: 'text/calendar; charset=utf-8; method=REQUEST',
        content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:Budget\r\nEND:VEVENT\r\nEND:VCALENDAR',
      },
    ]),
  )

/** A message with nothing but a link to the invoice. */
export const linkMail = (fields: MailFields = {}): Buffer =>
  composeMail({
    subject: 'Your invoice is ready',
    ...fields,
    html: '<p>Hello,</p><p>your new invoice is ready.</p><p><a href="https://acme.example/i/123">View your invoice</a></p>',
  })

export const personalMail = (fields: Mail = {}): Buffer =>
  composeMail({
    subject: 'Lunch',
    from: 'Dana <dana@globex.example>',
    text: 'Shall we have lunch on Thursday?',
    ...fields,
  })

/** A message that could not be delivered, with the returned message, which had an invoice. */
export const bounceMail = (fields: MailFields = {}): Buffer =>
  writeMail(
    { subject: 'Undelivered Mail Returned to Sender', from: 'MAILER-DAEMON <mailer-daemon@mx.example>', ...fields },
    {
      type: 'multipart/report; report-type=delivery-status',
      parts: [
        { type: 'text/plain; charset=utf-8', content: 'The message could not be delivered.' },
        {
          type: 'message/delivery-status',
          content: 'Reporting-MTA: dns; mx.example\r\n\r\nAction: failed',
          encoding: '7bit',
        },
        messagePart(receiptMail({ id: 'returned' })),
      ],
    },
  )

/** A message that forwards another one as an attachment. */
export const forwardMail = (message: Buffer, fields: MailFields & { text?: string } = {}): Buffer =>
  writeMail(
    { subject: 'Fwd: invoice', from: 'Dana <dana@globex.example>', ...fields },
    multipart('mixed', [
      { type: 'text/plain; charset=utf-8', content: fields.text ?? 'Please book this.' },
      messagePart(message),
    ]),
  )
