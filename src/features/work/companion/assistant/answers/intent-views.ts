import type { Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import type { ListView } from './rows.ts'
import { views } from './views.ts'

/** How a list is told; intents about the same list differ in the noun, the heading, and what is said if there is nothing. */
export function viewFor({ tool, intent, input }: Understood): ListView | undefined {
  const view = views[tool]
  if (!view || (tool === 'integrations_email_settings' && input.id)) return undefined
  return { ...view, ...intents[intent] }
}

const intents: Record<string, Partial<ListView>> = {
  'overdue-documents': {
    noun: nouns.invoice,
    none: (talk) => talk.in('No invoice is overdue.', 'אין חשבונית באיחור.'),
    heading: (count, talk) =>
      talk.in(`${counted('en', count, nouns.invoice)} overdue:`, `${counted('he', count, nouns.invoice)} באיחור:`),
  },
  'open-documents': {
    noun: nouns.invoice,
    none: (talk) => talk.in('No invoice is open.', 'אין חשבוניות פתוחות.'),
    heading: (count, talk) =>
      talk.in(`${counted('en', count, nouns.invoice)} open:`, `${counted('he', count, nouns.invoice)} לתשלום:`),
  },
  'remind-all': {
    noun: nouns.invoice,
    none: (talk) =>
      talk.in('No invoice is overdue, so there is nobody to remind.', 'אין חשבונית באיחור, ולכן אין למי להזכיר.'),
    heading: (count, talk) =>
      talk.in(
        `I send one reminder at a time, each after your yes. Say “remind the first one”. ${counted('en', count, nouns.invoice)} overdue:`,
        `אני שולח תזכורת אחת בכל פעם, אחרי אישור. אמרו "שלח את הראשונה". ${counted('he', count, nouns.invoice)} באיחור:`,
      ),
  },
  'documents-due-soon': {
    noun: nouns.invoice,
    none: (talk) => talk.in('No invoice is due in that time.', 'אין חשבוניות לתשלום בתקופה הזו.'),
  },
  'paid-documents': {
    noun: nouns.document,
    none: (talk) => talk.in('No document is paid in that time.', 'אין מסמכים ששולמו.'),
  },
  'draft-documents': { noun: nouns.draft, none: (talk) => talk.in('There are no drafts.', 'אין טיוטות.') },
  'disputed-documents': { none: (talk) => talk.in('No document is in dispute.', 'אין מסמכים במחלוקת.') },
  'pending-expenses': { none: (talk) => talk.in('No expense is waiting for review.', 'אין הוצאות שממתינות לבדיקה.') },
  'low-stock': { none: (talk) => talk.in('No item is low.', 'אין פריטים במלאי נמוך.') },
  'late-orders': { none: (talk) => talk.in('No order is late.', 'אין הזמנות באיחור.') },
  'find-customer': { none: (talk) => talk.in('I found no such customer.', 'לא מצאתי לקוח כזה.') },
  'find-supplier': { none: (talk) => talk.in('I found no such supplier.', 'לא מצאתי ספק כזה.') },
}
