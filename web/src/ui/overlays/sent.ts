import type { Output } from '../../api.ts'
import { count, type Language, words } from '../../words.ts'
import { say as toast } from './toast.tsx'

/** What became of letters that were just sent. */
export const sentWords = words(
  {
    sent: (n: number) => count('en', n, { one: 'Sent to one address', other: (m) => `Sent to ${m} addresses` }),
    sentPartly: (n: number, failed: number) => `Sent to ${n}, not to ${failed}`,
    retrying: 'It is tried again by itself.',
    notSent: 'It could not be sent',
    kept: 'Kept in the outbox: no mail server is set',
  },
  {
    sent: (n) =>
      count('he', n, { one: 'נשלח לכתובת אחת', two: 'נשלח לשתי כתובות', other: (m) => `נשלח ל־${m} כתובות` }),
    sentPartly: (n, failed) => `נשלח ל־${n}, לא נשלח ל־${failed}`,
    retrying: 'הניסיון יחזור מעצמו.',
    notSent: 'השליחה לא הצליחה',
    kept: 'נשמר בדואר היוצא: לא הוגדר שרת דואר',
  },
)

type Outcomes = Pick<Output<'invoices_send'>, 'sent' | 'failed' | 'kept' | 'retrying'>

/** Whether an answer is about letters that were sent to several addresses. */
export const isSent = (answer: unknown): answer is Outcomes =>
  typeof answer === 'object' && answer !== null && 'totalRecipients' in answer

/** Says what became of letters that were just sent. */
export function tellSent(lang: Language, { sent, failed, kept, retrying }: Outcomes) {
  const say = sentWords[lang]
  if (failed === 0) toast(kept ? say.kept : say.sent(sent))
  else
    toast(sent > 0 ? say.sentPartly(sent, failed) : say.notSent, {
      bad: true,
      ...(retrying && { description: say.retrying }),
    })
}
