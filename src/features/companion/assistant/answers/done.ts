import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { tellDraft } from './draft-invoice.ts'
import { type Document, tellDocument } from './explain-document.ts'
import { tellRecord } from './record.ts'
import { text } from './record-rows.ts'
import type { Data } from './rows.ts'

/** What is said after a change that was made at once. Changes with an effect wait, and the loop tells what came of them. */
export async function* tellDone(talk: Talk, { tool }: Understood, output: Data): Steps {
  if (tool === 'invoices_create' || tool === 'invoices_duplicate' || tool === 'orders_invoice') {
    const document = output as unknown as Document
    return yield* document.status === 'DRAFT' ? tellDraft(talk, document) : tellDocument(talk, document)
  }
  if (tool === 'automations_create') return yield* tellAutomation(talk, output)
  const [en, he] = (done.find(([name]) => name.test(tool))?.slice(1) as [string, string] | undefined) ?? [
    'Done.',
    'בוצע.',
  ]
  yield* talk.say(talk.in(en, he))
  yield* tellRecord(talk, tool, output)
  yield* warnings(talk, output)
}

const done: readonly [RegExp, en: string, he: string][] = [
  [/^customers_create$/, 'The customer was added.', 'הלקוח נוסף.'],
  [/^suppliers_create$/, 'The supplier was added.', 'הספק נוסף.'],
  [/^logistics_items_create$/, 'The item was added.', 'הפריט נוסף.'],
  [/^expenses_create$/, 'The expense was entered as a draft.', 'ההוצאה נרשמה כטיוטה.'],
  [/^payroll_my_claims_create$/, 'The claim was entered and waits for review.', 'בקשת ההחזר נרשמה וממתינה לבדיקה.'],
  [/^expense_categories_create$/, 'The category was added.', 'הקטגוריה נוספה.'],
  [/^orders_create$/, 'The order was entered.', 'ההזמנה נרשמה.'],
  [/^payroll_generate$/, 'The payslips were computed as drafts.', 'התלושים חושבו כטיוטות.'],
  [/^users_notification/, 'The notifications are marked as read.', 'ההתראות סומנו כנקראו.'],
  [/_create$|_post$/, 'It was created.', 'נוצר בהצלחה.'],
  [/_update|_patch|_put$/, 'The change was saved.', 'השינוי נשמר.'],
]

type Automation = {
  id: string
  name: string
  status: string
  blocks: { id: string; kind: string; ref: string | null }[]
  warnings?: { message: string }[]
}

/** What an automation will do, step by step, and that it is off. */
async function* tellAutomation(talk: Talk, output: Data): Steps {
  const { id, name, status, blocks } = output as unknown as Automation
  talk.show('automation', id, name)
  yield* talk.say(
    talk.in(`The automation ${talk.data(name)} was drafted:`, `האוטומציה ${talk.data(name)} נוצרה כטיוטה:`),
  )
  const starts = blocks.filter(({ kind }) => kind === 'TRIGGER').map(({ ref }) => talk.data(ref ?? ''))
  if (starts.length > 0) yield* talk.line(talk.in(`• When: ${starts.join(', ')}`, `• מתי: ${starts.join(', ')}`))
  for (const { kind, ref } of blocks.filter((block) => block.kind !== 'TRIGGER'))
    yield* talk.line(
      kind === 'FILTER'
        ? talk.in(`• Find: ${talk.data(ref ?? '')}`, `• איתור: ${talk.data(ref ?? '')}`)
        : talk.in(`• Do: ${talk.data(ref ?? '')}`, `• פעולה: ${talk.data(ref ?? '')}`),
    )
  yield* warnings(talk, output)
  if (status !== 'ENABLED')
    yield* talk.line(
      talk.in(
        'It is off until it is enabled. Say “enable it” to turn it on.',
        'היא כבויה עד שמפעילים אותה. אמרו "הפעל אותה" כדי להפעיל.',
      ),
    )
}

async function* warnings(talk: Talk, output: Data): Steps {
  const list = Array.isArray(output.warnings) ? (output.warnings as Data[]) : []
  for (const { message } of list.slice(0, 3))
    yield* talk.line(`${talk.in('Note', 'שימו לב')}: ${talk.data(text(message), 300)}`)
}
