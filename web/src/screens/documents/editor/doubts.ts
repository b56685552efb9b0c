import { refusal } from '../../../refusals.ts'
import { useLanguage, useWords, words } from '../../../words.ts'
import { type Draft, described } from './draft.ts'

/** Doubts of the server in words of the reader, where the reader's language is not the server's. */
const said = words({} as Record<string, string>, {
  TAX_RATE: 'שיעור המס אינו השיעור הרגיל של היום הזה ואינו אפס.',
  TAX_AMOUNT: 'סכום המס אינו מתאים לשיעורי המס של השורות.',
  TAX_NOT_CHARGED: 'במסמך אין מע״מ.',
  LINE_AMOUNT: 'הסכום אינו כמות כפול מחיר פחות ההנחה.',
  ROUNDED: 'הסכום עוגל.',
  ALLOCATION_NUMBER_MISSING: 'הלקוח יוכל לנכות את המס רק עם מספר הקצאה.',
  ISSUER_NOT_REGISTERED: 'הארגון אינו רשום כעוסק מורשה.',
  ISSUE_DATE_PLANNED: 'אפשר להפיק את המסמך רק מן היום הזה.',
  ISSUE_DATE_PAST: 'תאריך ההפקה רחוק מדי בעבר.',
  DUE_DATE_BEFORE_ISSUE: 'מועד התשלום קודם לתאריך ההפקה.',
  EXCHANGE_RATE_MISSING: 'אין שער חליפין ליום הזה.',
  HOME_AMOUNTS_MISSING: 'חסרים הסכומים במטבע המקומי.',
  UNPRINTABLE_CHARACTER: 'יש כאן תו שאי אפשר להדפיס.',
  PAYMENT_METHOD_MISSING: 'חסר אמצעי התשלום.',
  RECEIPT_WITHOUT_PAYMENT: 'קבלה מאשרת תשלום, ואין כאן תשלום.',
  AMOUNT_NEGATIVE: 'הסכום הכולל אינו יכול להיות שלילי.',
  AMOUNT_MISMATCH: 'הסכומים אינם מתאימים זה לזה.',
  CUSTOMER_NUMBER_MISSING: 'במסמך צריך להופיע מספר הרישום של הלקוח.',
  CUSTOMER_ADDRESS_MISSING: 'במסמך צריכה להופיע כתובת הלקוח.',
  ISSUER_NUMBER_MISSING: 'במסמך צריך להופיע המספר של הארגון.',
  ISSUER_ADDRESS_MISSING: 'במסמך צריכה להופיע כתובת הארגון.',
  REASON_MISSING: 'בזיכוי צריכה להופיע הסיבה.',
  PEPPOL_ID: 'זו אינה כתובת ברשת Peppol, למשל 0195:SGUEN201403121W.',
  CASH_LIMIT: 'הסכום במזומן גדול ממה שהחוק מתיר.',
  EXCHANGE_RATE_UNUSUAL: 'שער החליפין חריג.',
  EXCHANGE_RATE_IGNORED: 'שער החליפין שניתן אינו בשימוש.',
})

type Doubt = { code: string; message: string; path: string }

/** The sentence of a doubt in the reader's language. */
export function useDoubtWords(): (doubt: Omit<Doubt, 'path'>) => string {
  const lang = useLanguage()
  const own = useWords(said)
  return (doubt) => own[doubt.code] ?? refusal(lang, doubt)
}

/** What the server says about a draft, by the field it belongs to; lines by their id, `''` what belongs to no field. */
export function useDoubts(draft: Draft, doubts: readonly Doubt[]): (path: string) => string | undefined {
  const inWords = useDoubtWords()
  const lines = described(draft.items)
  const known = new Map<string, string>()
  for (const { path, ...doubt } of doubts) {
    const [, at, field] = /^items\.(\d+)\.?(.*)$/.exec(path) ?? []
    const place = at === undefined ? fieldOf(path) : `${lines[Number(at)]?.id} ${field}`
    const text = inWords(doubt)
    known.set(place, known.has(place) && known.get(place) !== text ? `${known.get(place)}\n${text}` : text)
  }
  return (path) =>
    known.get(path) ??
    (path.startsWith('line ') ? [...known].find(([place]) => place.startsWith(`${path.slice(5)} `))?.[1] : undefined)
}

/** The fields of the editor that have a place for what is said about them. */
const fields = new Set([
  'customerId', 'documentType', 'issueDate', 'dueDate', 'currency', 'bankAccountId', 'taxRate', 'taxAmount', 'notes',
  'paymentMethod', 'paymentDate', 'total',
]) // biome-ignore format: a list of words

/** What is missing about the customer is told where the customer is picked. */
const fieldOf = (path: string) => (path.startsWith('customer.') ? 'customerId' : fields.has(path) ? path : '')
