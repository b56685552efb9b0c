import { atLeast, type Role } from '../../../../../core/define/access.ts'
import { toLine } from '../../../../../core/values/line.ts'
import type { Steps, Talk } from '../talk.ts'
import { cannotSentence } from '../words/help.ts'
import { statusWord } from '../words/statuses.ts'

/** A refusal of a tool, told as a sentence with what to do about it. */

export type Failed = {
  code: string
  message: string
  details?: readonly { path?: string; message?: string; code?: string }[]
}

/** Tells why a call was refused. An effect that waits for the person's word is no failure: the loop asks. */
export async function* tellFailure(talk: Talk, failed: Failed, tool: string): Steps {
  if (failed.code === 'WAITS') return
  yield* talk.say(failureSentence(talk, failed, tool))
}

export function failureSentence(talk: Talk, failed: Failed, tool: string): string {
  const code = failed.details?.find((detail) => detail.code)?.code
  const reason = reasonOf(talk, failed)
  switch (kindOf(failed)) {
    case 'FORBIDDEN':
      return forbiddenSentence(talk, failed, code, tool)
    case 'UNKNOWN_TOOL':
      return tool === 'users_invitations_post'
        ? cannotSentence(talk.language, 'invite')
        : notOfferedSentence(talk, failed)
    case 'NOT_FOUND':
      return talk.in(
        'That no longer exists, or it belongs to another organization.',
        'הרשומה אינה קיימת עוד, או שהיא שייכת לארגון אחר.',
      )
    case 'CONFLICT':
      return code === 'BUSY'
        ? talk.in(
            'Somebody is changing this at the moment. Please try again shortly.',
            'מישהו משנה את הרשומה ברגע זה. נסו שוב עוד מעט.',
          )
        : talk.in(`That is not possible as things are: ${reason}`, `זה לא אפשרי במצב הנוכחי: ${reason}`)
    case 'RATE_LIMIT':
      return talk.in(
        `There were too many requests.${secondsIn(failed.message, ' Please try again in', 'seconds')}`,
        `היו יותר מדי בקשות.${secondsIn(failed.message, ' נסו שוב בעוד', 'שניות')}`,
      )
    case 'VALIDATION':
      return talk.in(`That was not accepted: ${reason}`, `הבקשה לא התקבלה: ${reason}`)
    default:
      return talk.in(
        'That failed on our side, and nothing was changed. Please try again in a minute.',
        'אירעה תקלה אצלנו, ושום דבר לא השתנה. נסו שוב בעוד דקה.',
      )
  }
}

const kinds = new Set([
  'FORBIDDEN',
  'UNKNOWN_TOOL',
  'NOT_FOUND',
  'CONFLICT',
  'RATE_LIMIT',
  'VALIDATION',
  'INTERNAL',
  'UNAVAILABLE',
])
const forbidding = new Set(['ROLE', 'SCOPE', 'SIGN_IN_AGAIN'])

/** A refusal may come with its detailed code alone: INVOICED_WITHIN_ORDER is a conflict. */
function kindOf({ code, details = [] }: Failed): string {
  if (kinds.has(code) || details.length === 0) return code
  return forbidding.has(code) ? 'FORBIDDEN' : details.some(({ path = '' }) => path !== '') ? 'VALIDATION' : 'CONFLICT'
}

function forbiddenSentence(talk: Talk, { message }: Failed, code: string | undefined, tool: string): string {
  const operation = talk.turn.tools.find(({ name }) => name === tool)
  const [, named] = /the role ([A-Z]+)/.exec(message) ?? []
  const role = named ?? (code === 'ROLE' ? operation?.role : undefined)
  if (role)
    return talk.in(
      `This needs the role ${statusWord('en', role)} or higher; yours is ${statusWord('en', talk.turn.role)}. Ask an owner of the organization to do it or to change your role.`,
      `לפעולה זו נדרש תפקיד ${statusWord('he', role)} ומעלה, ותפקידך ${statusWord('he', talk.turn.role)}. בקשו מבעלי הארגון לבצע אותה או לשנות את התפקיד.`,
    )
  if (code === 'SIGN_IN_AGAIN')
    return talk.in(
      'Sign in again to do this: your last sign-in was too long ago.',
      'התחברו מחדש כדי לבצע זאת: ההתחברות האחרונה הייתה לפני זמן רב מדי.',
    )
  if (code === 'SCOPE')
    return talk.in(
      `The credential of this conversation does not have the scope for it${operation ? ` (${operation.scope})` : ''}.`,
      `להרשאה של השיחה הזו אין את ההיקף הדרוש${operation ? ` (${operation.scope})` : ''}.`,
    )
  return talk.in(
    `You are not allowed to do that: ${toLine(message, 300)}`,
    `אין לך הרשאה לכך: ${talk.data(message, 300)}`,
  )
}

/** The tool is not one of this conversation: the role or the credential does not have it, or it is not for a conversation at all. */
function notOfferedSentence(talk: Talk, { message }: Failed): string {
  const [, role] = /the role ([A-Z]+)/.exec(message) ?? []
  const [, scope] = /the scope ([a-z:_-]+)/.exec(message) ?? []
  if (!role)
    return talk.in(
      'I cannot do that in a conversation. Do it on its page in the product.',
      'איני יכול לעשות זאת בשיחה. אפשר לעשות זאת בעמוד המתאים במערכת.',
    )
  return isBelow(talk.turn.role, role)
    ? talk.in(
        `You may not do that here: it needs the role ${statusWord('en', role)} or higher, and yours is ${statusWord('en', talk.turn.role)}.`,
        `אין לך הרשאה לכך כאן: נדרש תפקיד ${statusWord('he', role)} ומעלה, ותפקידך ${statusWord('he', talk.turn.role)}.`,
      )
    : talk.in(
        `You may not do that here: it needs the scope ${scope}, which the credential of this conversation does not have.`,
        `אין לך הרשאה לכך כאן: נדרש ההיקף ${talk.data(scope)}, שאין להרשאה של השיחה הזו.`,
      )
}

const isBelow = (role: Role, needed: string) => !atLeast(role, needed as Role)

/** What the details say, or else the message. */
function reasonOf(talk: Talk, { message, details = [] }: Failed): string {
  const messages = details.map((detail) => detail.message ?? '').filter(Boolean)
  return talk.data((messages.length > 0 ? [...new Set(messages)].slice(0, 3).join(' ') : message) || message, 400)
}

function secondsIn(message: string, before: string, unit: string): string {
  const [, seconds] = /in (\d+) second/.exec(message) ?? []
  return seconds ? `${before} ${seconds} ${unit}.` : ''
}
