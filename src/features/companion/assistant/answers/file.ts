import type { Steps, Talk } from '../talk.ts'
import { text } from './record-rows.ts'
import type { Data } from './rows.ts'

/** A file that a tool made: its name, and its address if it has one. */
export async function* tellFile(talk: Talk, { fileName, link }: Data): Steps {
  const name = talk.data(text(fileName), 120)
  yield* talk.say(talk.in(`The file ${name} is ready.`, `הקובץ ${name} מוכן.`))
  if (text(link) !== '') yield* talk.line(text(link))
  else
    yield* talk.say(
      talk.in(
        'You can download it in the run log of this conversation, or on its page.',
        'אפשר להוריד אותו מהעמוד שלו.',
      ),
    )
}
