import { formsOf, wordsOf } from './words.ts'

/** What is to be done by itself. */
const doing = new Set(
  wordsOf(
    `create notify alert email mail send remind tell inform warn post
     צור שלח לשלוח תשלח מייל הודעה הודע להודיע התראה תזכורת הזכר להזכיר`,
  ).flatMap(formsOf),
)

/** At which moment: "when was it sent" asks for the past, and "every invoice" is no moment. */
const moment =
  /\b(when(ever)?(?! (was|were|did))|if|(every|each) (time|hour|day|morning|week|month|quarter|year))\b|(?<!\p{L})(כאשר|אם|כש\p{L}{3,}|כל (פעם|שעה|יום|בוקר|שבוע|חודש|רבעון|שנה))(?!\p{L})/iu

/** "Email me when an expense is created": a moment and something to do then are an automation, whatever they are about. */
export const meansAutomation = (query: string): boolean =>
  moment.test(query) && wordsOf(query).some((word) => formsOf(word).some((form) => doing.has(form)))
