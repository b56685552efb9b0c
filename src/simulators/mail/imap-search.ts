import { type Argument, inSet, textOf } from './imap-arguments.ts'
import { fieldsOf, headOf } from './message.ts'
import type { StoredMessage } from './store.ts'

type Place = { message: StoredMessage; number: number }
type Key = (place: Place) => boolean | Promise<boolean>
type Scope = { lastNumber: number; lastUid: number; offsetMinutes: number }

/** Whether a message meets the keys of a SEARCH; undefined if one is unknown or not written correctly. */
export function readSearch(all: readonly Argument[], scope: Scope): Key | undefined {
  const rest = [...all]
  if (textOf(rest[0]).toUpperCase() === 'CHARSET') rest.splice(0, 2)
  return rest.length > 0 ? every(rest, scope) : undefined
}

function every(rest: Argument[], scope: Scope): Key | undefined {
  const keys: Key[] = []
  while (rest.length > 0) {
    const key = next(rest, scope)
    if (!key) return undefined
    keys.push(key)
  }
  return async (place) => {
    for (const key of keys) if (!(await key(place))) return false
    return true
  }
}

/** Takes the next key, with its values, from the rest. */
function next(rest: Argument[], scope: Scope): Key | undefined {
  const argument = rest.shift()
  if (Array.isArray(argument)) return every([...argument], scope)
  const name = textOf(argument).toUpperCase()
  const flag = flags[name]
  if (flag) return ({ message }) => message.flags.has(flag.flag) === flag.isSet
  switch (name) {
    case 'ALL':
    case 'OLD':
      return () => true
    case 'NEW':
    case 'RECENT':
      return () => false
    case 'NOT': {
      const key = next(rest, scope)
      return key && (async (place) => !(await key(place)))
    }
    case 'OR': {
      const [one, other] = [next(rest, scope), next(rest, scope)]
      return one && other && (async (place) => (await one(place)) || other(place))
    }
    case 'UID': {
      const isIn = inSet(textOf(rest.shift()), scope.lastUid)
      return isIn && (({ message }) => isIn(message.uid))
    }
    case 'KEYWORD':
    case 'UNKEYWORD': {
      const keyword = textOf(rest.shift())
      return ({ message }) => message.flags.has(keyword) === (name === 'KEYWORD')
    }
    case 'LARGER':
    case 'SMALLER': {
      const size = Number(textOf(rest.shift()))
      return ({ message }) => (name === 'LARGER' ? message.size > size : message.size < size)
    }
    default:
      return dateKey(name, rest, scope) ?? textKey(name, rest) ?? numberKey(name, scope)
  }
}

/** Compares days: those of arrival in the time zone of the server, those of writing as the message has them. */
function dateKey(name: string, rest: Argument[], { offsetMinutes }: Scope): Key | undefined {
  const [, sent, how] = /^(SENT)?(SINCE|BEFORE|ON)$/.exec(name) ?? []
  if (!how) return undefined
  const day = dayOf(textOf(rest.shift()))
  if (day === undefined) return undefined
  const meets = (of: number) => (how === 'SINCE' ? of >= day : how === 'BEFORE' ? of < day : of === day)
  if (!sent) return ({ message }) => meets(Math.floor((message.receivedAt.getTime() + offsetMinutes * 60_000) / dayMs))
  return async ({ message }) => {
    const date = fieldsOf(await message.source()).find((field) => field.name === 'date')?.value ?? ''
    const [written = ''] = /\d{1,2} [a-z]{3} \d{4}/i.exec(date) ?? []
    const of = dayOf(written.replaceAll(' ', '-'))
    return of !== undefined && meets(of)
  }
}

function textKey(name: string, rest: Argument[]): Key | undefined {
  const isField = fields.has(name)
  if (!isField && name !== 'HEADER' && name !== 'BODY' && name !== 'TEXT') return undefined
  const field = name === 'HEADER' ? textOf(rest.shift()).toLowerCase() : name.toLowerCase()
  const text = textOf(rest.shift()).toLowerCase()
  return async ({ message }) => {
    const source = await message.source()
    if (name === 'TEXT') return contains(source.toString(), text)
    if (name === 'BODY') return contains(headOf(source).body.toString(), text)
    return fieldsOf(source).some(
      (each) => each.name === field && contains(Buffer.from(each.value, 'latin1').toString(), text),
    )
  }
}

function numberKey(name: string, { lastNumber }: Scope): Key | undefined {
  const isIn = inSet(name, lastNumber)
  return isIn && (({ number }) => isIn(number))
}

const contains = (all: string, text: string) => all.toLowerCase().includes(text)

/** The number of a day such as `1-Feb-1994`. */
function dayOf(text: string): number | undefined {
  const ms = /^\d{1,2}-[a-z]{3}-\d{4}$/i.test(text) ? Date.parse(`${text.replaceAll('-', ' ')} UTC`) : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.floor(ms / dayMs)
}

const dayMs = 24 * 60 * 60 * 1000
const fields = new Set(['FROM', 'TO', 'CC', 'BCC', 'SUBJECT'])
const flags: Record<string, { flag: string; isSet: boolean }> = Object.fromEntries(
  ['Seen', 'Flagged', 'Answered', 'Deleted', 'Draft'].flatMap((flag) => [
    [flag.toUpperCase(), { flag: `\\${flag}`, isSet: true }],
    [`UN${flag.toUpperCase()}`, { flag: `\\${flag}`, isSet: false }],
  ]),
)
