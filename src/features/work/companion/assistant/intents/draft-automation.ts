import { action, chain, filter, trigger } from '../../../automations/template.ts'
import { type Subject, schedules, starts } from './automation-starts.ts'
import { draftDocument } from './draft-document.ts'
import { type Input, isMissing, type Missing, missing } from './intent.ts'
import type { Said } from './said.ts'

const conditionWords =
  /\b(when|whenever|once|as soon as|if|every time|each time|after|upon|on each|for (each|every))\b|(^|\s)(כש|כאשר|ברגע ש|אם |בכל פעם ש|כל פעם ש|אחרי ש|לאחר ש|כל ה?הוצאה|כל ה?חשבונית|לכל (?!מי |ה[א-ת]+(?:ים|ות)(?:\s|$)))/

/** Whether the sentence is a rule: something that repeats or a condition, and something to do about it. */
export function isAutomation(said: Said): boolean {
  const text = plain(said)
  if (said.has('automation') && said.has('delete', 'enable', 'disable', 'replay') && !said.has('draft')) return false
  if (
    !hasWork(text) ||
    (said.isAsking && !/^(when|whenever)\s/.test(text)) ||
    /^(when|whenever)\s+(did|was|is|were|do|does|will|are)\b/.test(text)
  )
    return false
  const isAdjective =
    said.slots.amounts.some(({ comparison }) => comparison === 'exactly') &&
    !/every|each|כל |מדי/.test(text) &&
    !recurring.test(text) // a monthly retainer
  if ((schedules.some(([words]) => words.test(text)) && !isAdjective) || said.has('automatically')) return true
  if (said.has('automation') && said.has('create', 'draft') && text.length > 40) return true
  return conditionWords.test(text) && starts.some(([words]) => words.test(text))
}

/** An invoice that repeats; "monthly" of anything else is part of what is billed. */
const recurring =
  /\b(monthly|weekly|recurring|repeating) (tax )?(invoices?|bills?|payment requests?)\b|חשבונית (מס )?(חודשית|שבועית|קבועה|חוזרת|מחזורית)|דרישת תשלום (חודשית|קבועה)/

const plain = ({ text }: Said): string => text.toLowerCase().replaceAll('״', '"').replaceAll(/\s+/g, ' ')

const work =
  /\b(send|email|e-mail|mail|remind|reminder|notify|tell|alert|message|ping|let me know|approve|thanks?|post|call|duplicate|copy|repeat|scan|poll|read|fetch|create|order|issue|generate|invoice|bill)\b|שלח|תשלח|לשלוח|תזכורת|תזכיר|תודיע|הודע|להודיע|תתריע|התראה|עדכן אותי|תעדכן|אשר|תאשר|לאשר|תודה|תסרוק|סרוק|שכפל|תשכפל|תזמין|תוציא|תפיק|מודה/
const hasWork = (text: string): boolean => work.test(text)

/** The automation that the sentence describes. */
export function draftAutomation(said: Said): Input | Missing {
  const text = plain(said)
  const name = said.text.trim().replaceAll(/\s+/g, ' ').slice(0, 120)
  const graph = graphOf(said, text)
  return '$missing' in graph
    ? graph
    : { name, description: descriptionOf(text), blocks: graph.blocks, edges: graph.edges }
}

/** When it runs, in words. */
function descriptionOf(text: string): string | null {
  const schedule = scheduleOf(text)
  const weekday = weekdayIn(text) ?? 'monday'
  if (schedule === 'schedule.weekly') return `Runs every ${weekday[0]?.toUpperCase()}${weekday.slice(1)} at 08:00.`
  return schedule === 'schedule.daily' ? 'Runs every day at 08:00.' : null
}

const scheduleOf = (text: string): string | undefined => schedules.find(([words]) => words.test(text))?.[1]

type Graph = ReturnType<typeof chain>

function graphOf(said: Said, text: string): Graph | Missing {
  const schedule = scheduleOf(text)
  const weekday = schedule === 'schedule.weekly' ? weekdayIn(text) : undefined
  if (schedule && (weekday === undefined || weekday === 'monday')) return scheduled(said, text, schedule)
  if (weekday) return onWeekday(scheduled(said, text, 'schedule.daily'), weekday)
  const start = starts.find(([words]) => words.test(text))
  if (!start) return missing('trigger')
  const days = said.slots.durations[0]?.days
  if (start[1] === 'invoice.overdue' && days !== undefined) return overdueByDays(said, text, days)
  return onEvent(said, text, start[1], start[2])
}

const weekdayWords: readonly (readonly [RegExp, string])[] = [
  [/\bsundays?\b|(יום|ימי) (ראשון|א['׳])/, 'sunday'], [/\bmondays?\b|(יום|ימי) (שני|ב['׳])/, 'monday'], [/\btuesdays?\b|(יום|ימי) (שלישי|ג['׳])/, 'tuesday'],
  [/\bwednesdays?\b|(יום|ימי) (רביעי|ד['׳])/, 'wednesday'], [/\bthursdays?\b|(יום|ימי) (חמישי|ה['׳])/, 'thursday'], [/\bfridays?\b|(יום|ימי) (שישי|ו['׳])/, 'friday'],
  [/\bsaturdays?\b|(יום|ימי) שבת|כל שבת/, 'saturday'],
] // biome-ignore format: a table

const weekdayIn = (text: string): string | undefined => weekdayWords.find(([words]) => words.test(text))?.[1]

/** The weekly event is on Monday, so another day is the daily one with a condition. */
function onWeekday(graph: Graph | Missing, weekday: string): Graph | Missing {
  if ('$missing' in graph) return graph
  const cond = { left: '{{context.weekday}}', op: 'eq', right: weekday }
  const edges = graph.edges.map((edge) => (edge.fromBlockId === 'trigger' ? { ...edge, cond } : edge))
  return { ...graph, edges } as Graph
}

const isReminder = (text: string): boolean => /remind|chase|nudge|תזכורת|תזכיר|להזכיר/.test(text)
const isToMe = (text: string): boolean =>
  /\b(me|us|team|manager|accountant|myself|boss)\b|(^|\s)(לי|אליי|אלי|לנו|אותי|אותנו|לצוות|למנהל)(\s|$|,)/.test(text)

/** Every Monday and the like. */
function scheduled(said: Said, text: string, schedule: string): Graph | Missing {
  if (
    /mailbox|inbox|receipts|תיבת|המייל|תיבה|קבלות/.test(text) &&
    /scan|poll|read|fetch|check|סרוק|תסרוק|לסרוק|קרא/.test(text)
  )
    return chain([
      trigger(schedule),
      action('poll', 'expenses_email_poll', { connectionId: { $named: 'connection', words: '' } }),
    ])
  const found = foundBy(text)
  if (isReminder(text) && !isToMe(text))
    return forEach(
      schedule,
      found.id === 'open' || found.id === 'overdue' ? found : overdue('lt', '{{context.today}}'),
      'invoices_send',
    )
  const customer = said.name('customer')
  const repeats = /invoice|bill|חשבונית|דרישת תשלום/.test(text) && customer !== undefined && !isToMe(text)
  if (repeats) {
    return chain([
      trigger(schedule),
      repeated(said, customer),
      action('send', 'invoices_send', { id: '{{blocks.copy.id}}' }, 2),
    ])
  }
  return report(said, schedule, found)
}

/** The document that repeats: one of the amount that is said, or the last one of the customer again. */
function repeated(said: Said, customer: string) {
  const draft = said.slots.amounts.length > 0 ? draftDocument(said) : missing('amount')
  if (isMissing(draft))
    return action('copy', 'invoices_duplicate', { id: { $named: 'document', words: customer, which: 'latest' } })
  const { dueDate: _, ...document } = draft
  return action('copy', 'invoices_create', document)
}

type Found = { id: string; title: string; spec: Record<string, unknown> }

const predicate = (object: string, field: string, op: string, value: unknown) => ({ object, field, op, value })

const documentsExtract = [
  { as: 'id', path: 'Document.id' },
  { as: 'invoiceNumber', path: 'Document.invoiceNumber' },
  { as: 'customer', path: 'Document.customerName' },
  { as: 'openBalance', path: 'Document.openBalance' },
  { as: 'dueDate', path: 'Document.dueDate' },
]

const sent = [predicate('Document', 'status', 'eq', 'SENT'), predicate('Document', 'direction', 'eq', 'OUTGOING')]

const overdue = (op: string, day: string): Found => ({
  id: 'overdue',
  title: 'Overdue documents',
  spec: {
    root: 'Document',
    predicates: [...sent, predicate('Document', 'dueDate', op, day), predicate('Document', 'inDispute', 'eq', false)],
    extract: documentsExtract,
  },
})

/** What a report is about: the records that the sentence speaks of. */
function foundBy(text: string): Found {
  if (/overdue|past due|late|באיחור|בפיגור|חייב|חוב|owe/.test(text)) return overdue('lt', '{{context.today}}')
  if (/expense|claim|הוצא/.test(text))
    return {
      id: 'expenses',
      title: 'Expenses waiting for review',
      spec: {
        root: 'Expense',
        predicates: [predicate('Expense', 'status', 'eq', 'PENDING_REVIEW')],
        extract: ['id', 'vendor', 'amount', 'currency'].map((field) => ({ as: field, path: `Expense.${field}` })),
      },
    }
  if (/draft|טיוט/.test(text))
    return {
      id: 'drafts',
      title: 'Drafts',
      spec: {
        root: 'Document',
        predicates: [predicate('Document', 'status', 'eq', 'DRAFT')],
        extract: documentsExtract,
      },
    }
  return {
    id: 'open',
    title: 'Open documents',
    spec: { root: 'Document', predicates: sent, extract: documentsExtract },
  }
}

const forEach = (schedule: string, found: Found, ref: string): Graph =>
  chain([trigger(schedule), filter(found.id, found.spec), action('remind', ref, { id: '{{item.id}}' }, 2)], {
    remind: { mode: 'FOR_EACH' },
  })

/** Documents whose due date was so many days ago, once each. */
const overdueByDays = (said: Said, text: string, days: number): Graph | Missing =>
  isToMe(text)
    ? report(said, 'schedule.daily', overdue('eq', `{{context.today-${days}d}}`))
    : forEach('schedule.daily', overdue('eq', `{{context.today-${days}d}}`), 'invoices_send')

/** A list by mail. Without an address it goes to the owners of the organization. */
function report(said: Said, schedule: string, found: Found): Graph {
  const to = said.slots.emails[0]?.text ?? said.around.email
  const body = `${found.title}: {{blocks.${found.id}.count}}\n\n{{blocks.${found.id}}}`
  const mail = (address: string) => action('tell', 'email.send', { to: address, subject: found.title, body }, 2)
  if (to) return chain([trigger(schedule), filter(found.id, found.spec), mail(to)])
  return chain([trigger(schedule), filter(found.id, found.spec), owners, mail('{{blocks.owners.0.email}}')])
}

const owners = filter('owners', {
  root: 'Member',
  predicates: [predicate('Member', 'role', 'eq', 'OWNER')],
  extract: [{ as: 'email', path: 'Member.email' }],
})

/** When something happens. An amount in the sentence is a condition. */
function onEvent(said: Said, text: string, event: string, of: Subject): Graph | Missing {
  const cond = conditionOf(said, of)
  const url = /https?:\/\/\S+/.exec(said.text)?.[0]
  if (url) return linked(event, [action('post', 'webhook.post', { url, body: '{{trigger}}' })], cond)
  if (of === 'expense' && /approve|אשר|לאשר/.test(text) && event === 'expense.submitted')
    return linked(event, [approve], cond)
  if (
    of === 'document' &&
    !isToMe(text) &&
    (isReminder(text) || /send|שלח/.test(text)) &&
    !/thank|תודה|מודה/.test(text)
  )
    return linked(event, [action('send', 'invoices_send', { id: '{{trigger.id}}' })], cond)
  if (of === 'document' && !isToMe(text) && /thank|תודה|מודה/.test(text)) return linked(event, thanks, cond)
  return linked(event, tell(said, event), cond)
}

/** With what was submitted, so that an expense that was changed since is not approved. */
const approve = action('approve', 'expenses_status', {
  id: '{{trigger.id}}',
  status: 'APPROVED',
  expectedAmount: '{{trigger.amount}}',
  expectedCurrency: '{{trigger.currency}}',
  expectedRevision: '{{trigger.revision}}',
})

const thanks = [
  action('customer', 'customers_get', { id: '{{trigger.customerId}}' }),
  action(
    'thank',
    'email.send',
    {
      to: '{{blocks.customer.email}}',
      subject: 'Thank you for your payment of {{trigger.invoiceNumber}}',
      body: 'Dear {{blocks.customer.displayName}},\n\nwe have received {{trigger.currency}} {{trigger.total}}. Thank you!',
    },
    2,
  ),
]

function tell(said: Said, event: string) {
  const to = said.slots.emails[0]?.text ?? said.around.email
  const mail = (address: string) =>
    action('tell', 'email.send', { to: address, subject: event, body: `${said.text.slice(0, 500)}\n\n{{trigger}}` }, 2)
  return to ? [mail(to)] : [owners, mail('{{blocks.owners.0.email}}')]
}

type Condition = { left: string; op: string; right: number }

function conditionOf({ slots }: Said, of: Subject): Condition | undefined {
  const [amount] = slots.amounts
  if (!amount || of === 'other') return undefined
  const op = { over: 'gt', from: 'gte', under: 'lt', to: 'lte', exactly: 'eq' }[amount.comparison]
  return { left: `{{trigger.${amountFields[of]}}}`, op, right: amount.value }
}

const amountFields = { document: 'total', expense: 'homeAmount', payment: 'amount' }

function linked(event: string, blocks: Parameters<typeof chain>[0], cond: Condition | undefined): Graph {
  const [first] = blocks
  return chain([trigger(event), ...blocks], cond && first ? { [first.id]: { cond } } : {})
}
