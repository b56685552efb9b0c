import type { Steps, Talk } from '../talk.ts'
import type { NotUnderstood } from '../understood.ts'
import { areaNames, cannotSentence, helpLines, questionFor } from '../words/help.ts'

/** Answers to sentences that lead to no call. */
export async function* talkBack(talk: Talk, { intent, about }: NotUnderstood): Steps {
  const { language } = talk
  if (intent === 'help') return yield* help(talk)
  if (intent === 'missing') return yield* talk.say(questionFor(language, about))
  if (intent === 'thanks') return yield* talk.say(talk.in('You are welcome.', 'בשמחה.'))
  if (intent === 'greeting')
    return yield* talk.say(
      talk.in(
        `Hello. Ask me about the books of ${talk.data(talk.turn.organization.name)}, or say “help”.`,
        `שלום. אפשר לשאול אותי על הספרים של ${talk.data(talk.turn.organization.name)}, או לכתוב "עזרה".`,
      ),
    )
  if (intent === 'yes')
    return yield* talk.say(talk.in('Nothing is waiting for your word.', 'אין פעולה שממתינה לאישור.'))
  if (intent === 'no') return yield* talk.say(talk.in('All right, I do nothing.', 'בסדר, לא אעשה דבר.'))
  if (intent === 'cannot') yield* talk.say(cannotSentence(language, about))
  else
    yield* talk.say(
      talk.in('I did not understand that, so I cannot do it.', 'לא הבנתי את הבקשה, ולכן איני יכול לבצע אותה.'),
    )
  yield* talk.say(
    talk.in(
      `I can help with ${areaNames('en')}; say “help” for examples.`,
      `אני יכול לעזור עם ${areaNames('he')}; כתבו "עזרה" לדוגמאות.`,
    ),
  )
}

async function* help(talk: Talk): Steps {
  yield* talk.say(talk.in('This is what I can do:', 'זה מה שאני יכול לעשות:'))
  for (const line of helpLines(talk.language)) yield* talk.line(line)
  yield* talk.line(
    talk.in(
      'I ask before anything is sent, paid, issued, deleted or given access to.',
      'אני שואל לפני כל שליחה, תשלום, הפקה, מחיקה או מתן גישה.',
    ),
  )
}
