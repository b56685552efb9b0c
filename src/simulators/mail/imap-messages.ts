import { type Argument, inSet, textOf } from './imap-arguments.ts'
import type { Answer, Handler, ImapConnection } from './imap-connection.ts'
import { marksAsSeen, readItems, tell } from './imap-fetch.ts'
import { readSearch } from './imap-search.ts'
import type { StoredMessage } from './store.ts'

type Place = { message: StoredMessage; number: number }

/** The messages of a set of numbers or UIDs; undefined if it is not a set. */
function chosen({ open }: ImapConnection, set: Argument | undefined, byUid: boolean): Place[] | undefined {
  const messages = open?.messages ?? []
  const isIn = inSet(textOf(set), byUid ? (messages.at(-1)?.uid ?? 0) : messages.length)
  if (!isIn) return undefined
  return messages
    .map((message, at) => ({ message, number: at + 1 }))
    .filter(({ message, number }) => isIn(byUid ? message.uid : number))
}

async function fetchMessages(connection: ImapConnection, [set, wanted]: Argument[], byUid: boolean): Promise<Answer> {
  const { peer, open, settings } = connection
  const places = chosen(connection, set, byUid)
  const items = readItems(wanted)
  if (!places || !items) return 'BAD The set or an item cannot be read'
  if (byUid && !items.some(({ name }) => name === 'UID')) items.unshift({ name: 'UID' })
  const names = items.map(({ name, section }) => (section === undefined ? name : `${name}[${section}]`))
  const told = {
    offsetMinutes: settings.offsetMinutes ?? 0,
    sizeTold: settings.faults?.sizeTold ?? ((size: number) => size),
  }
  for (const { message, number } of places) {
    settings.onFetch?.(message.uid, names)
    if (!open?.isReadOnly && items.some(marksAsSeen)) message.flags.add('\\Seen')
    const values: Buffer[] = []
    for (const item of items)
      values.push(values.length > 0 ? Buffer.from(' ') : Buffer.alloc(0), await tell(item, message, told))
    await peer.send(Buffer.concat([Buffer.from(`* ${number} FETCH (`), ...values, Buffer.from(')\r\n')]))
  }
  return 'OK Done'
}

async function search(connection: ImapConnection, keys: Argument[], byUid: boolean): Promise<Answer> {
  const { peer, open, settings } = connection
  const messages = open?.messages ?? []
  const scope = {
    lastNumber: messages.length,
    lastUid: messages.at(-1)?.uid ?? 0,
    offsetMinutes: settings.offsetMinutes ?? 0,
  }
  const meets = readSearch(keys, scope)
  if (!meets) return 'BAD A key cannot be read'
  const found: number[] = []
  for (const [at, message] of messages.entries()) {
    if (await meets({ message, number: at + 1 })) found.push(byUid ? message.uid : at + 1)
  }
  await peer.send(`* SEARCH${found.map((number) => ` ${number}`).join('')}\r\n`)
  return 'OK Done'
}

async function store(connection: ImapConnection, [set, how, wanted]: Argument[], byUid: boolean): Promise<Answer> {
  const places = chosen(connection, set, byUid)
  const [, sign, silent] = /^([+-]?)FLAGS(\.SILENT)?$/i.exec(textOf(how)) ?? []
  if (!places || sign === undefined) return 'BAD The set or the item cannot be read'
  if (connection.open?.isReadOnly) return 'NO [READ-ONLY] The folder was opened for reading'
  const flags = (Array.isArray(wanted) ? wanted : [wanted]).map(textOf).filter((flag) => /^[\\$]?[\w.-]+$/.test(flag))
  for (const { message, number } of places) {
    if (sign === '') message.flags.clear()
    for (const flag of flags) sign === '-' ? message.flags.delete(flag) : message.flags.add(flag)
    const uid = byUid ? ` UID ${message.uid}` : ''
    if (!silent) await connection.peer.send(`* ${number} FETCH (FLAGS (${[...message.flags].join(' ')})${uid})\r\n`)
  }
  return 'OK Done'
}

const cannot: Handler = async () => 'NO [CANNOT] Messages cannot be moved, copied or deleted here'
const close: Handler = async (connection) => {
  connection.open = undefined
  return 'OK Done'
}

/** Commands of a client that has opened a folder. */
export const messageCommands: Record<string, Handler> = {
  FETCH: (connection, command) => fetchMessages(connection, command.arguments, false),
  SEARCH: (connection, command) => search(connection, command.arguments, false),
  STORE: (connection, command) => store(connection, command.arguments, false),

  UID: async (connection, command) => {
    const [name, ...rest] = command.arguments
    const byUid = { FETCH: fetchMessages, SEARCH: search, STORE: store }[textOf(name).toUpperCase()]
    return byUid ? byUid(connection, rest, true) : cannot(connection, command)
  },

  CHECK: async () => 'OK Done',
  CLOSE: close,
  UNSELECT: close,
  EXPUNGE: cannot,
  COPY: cannot,
  MOVE: cannot,
}
