import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { tellAutomation } from './draft-automation.ts'
import { tellDraft } from './draft-invoice.ts'
import { type Document, tellDocument } from './explain-document.ts'
import { tellRecord } from './record.ts'
import { number, text } from './record-rows.ts'
import type { Data } from './rows.ts'

/** What is said after a change that was made at once. Changes with an effect wait, and the loop tells what came of them. */
export async function* tellDone(talk: Talk, { tool }: Understood, output: Data): Steps {
  if (drafted.has(tool)) {
    const document = (output.invoice ?? output) as unknown as Document
    return yield* document.status === 'DRAFT' ? tellDraft(talk, document) : tellDocument(talk, document)
  }
  if (tool === 'automations_create') {
    yield* tellAutomation(talk, output)
    return yield* warnings(talk, output)
  }
  if (tool === 'payroll_generate') return yield* generated(talk, output)
  const [en, he] = (done.find(([name]) => name.test(tool))?.slice(1) as [string, string] | undefined) ?? [
    'Done.',
    'בוצע.',
  ]
  yield* talk.say(talk.in(en, he))
  yield* tellRecord(talk, tool, output)
  if (/payments_create$/.test(tool) && Array.isArray(output.allocations) && output.allocations.length === 0)
    yield* talk.line(talk.in('It is not allocated to a document yet.', 'התשלום עדיין לא שויך למסמך.'))
  yield* warnings(talk, output)
}

/** Tools that answer a document, as a draft or issued. */
const drafted = new Set(['invoices_create', 'invoices_duplicate', 'orders_invoice', 'invoices_update'])

const done: readonly [RegExp, en: string, he: string][] = [
  [/^customers_create$/, 'The customer was added.', 'הלקוח נוסף.'],
  [/^suppliers_create$/, 'The supplier was added.', 'הספק נוסף.'],
  [/^logistics_items_create$/, 'The item was added.', 'הפריט נוסף.'],
  [/^expenses_create$/, 'The expense was entered as a draft.', 'ההוצאה נרשמה כטיוטה.'],
  [/^payroll_my_claims_create$/, 'The claim was entered and waits for review.', 'בקשת ההחזר נרשמה וממתינה לבדיקה.'],
  [/^expense_categories_create$/, 'The category was added.', 'הקטגוריה נוספה.'],
  [/^orders_create$/, 'The order was entered.', 'ההזמנה נרשמה.'],
  [/^users_notification/, 'The notifications are marked as read.', 'ההתראות סומנו כנקראו.'],
  [/_create$|_post$/, 'It was created.', 'נוצר בהצלחה.'],
  [/_update|_patch|_put$/, 'The change was saved.', 'השינוי נשמר.'],
]

/** How many payslips were computed, and for whom that was not possible. */
async function* generated(talk: Talk, output: Data): Steps {
  const count = counted(talk.language, number(output.generated), nouns.payslip)
  yield* talk.say(talk.in(`${count} computed as drafts.`, `חושבו כטיוטות: ${count}.`))
  const errors = Array.isArray(output.errors) ? (output.errors as Data[]) : []
  for (const { message } of errors.slice(0, 5)) yield* talk.line(`• ${talk.data(text(message), 300)}`)
}

async function* warnings(talk: Talk, output: Data): Steps {
  const list = Array.isArray(output.warnings) ? (output.warnings as Data[]) : []
  for (const { message } of list.slice(0, 3))
    yield* talk.line(`${talk.in('Note', 'שימו לב')}: ${talk.data(text(message), 300)}`)
}
