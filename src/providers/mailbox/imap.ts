import type { ListedMessage, Mailbox, MailWindow } from '../../core/outside/mailbox.ts'
import { fromFolderName, toFolderName } from '../../core/values/folder-name.ts'
import { readHeaders } from './headers.ts'
import { logIn, toArgument, toRefusal } from './imap-login.ts'
import { readInternalDate, readPairs, readSet, toSearchDate, toSet, type Value } from './imap-response.ts'
import { createImapSession, type ImapSession, type Untagged } from './imap-session.ts'
import type { Opening } from './mailbox.ts'
import { type MessageTarget, overrun, writeMessage } from './message-file.ts'
import { isWithin, pageMax, toKnown } from './page.ts'
import { asksToWait, requireEncryption } from './sign-in.ts'

/** Opens a folder of an IMAP server (RFC 3501, RFC 9051) with EXAMINE, which changes nothing. */
export async function openImap({ wire, access, explain, startTls, limits }: Opening): Promise<Mailbox> {
  const session = createImapSession({ wire, explain })
  const greeting = await session.greeting()
  if (!access.tls) {
    const can = await session.capabilities()
    const isOffered = can.has('STARTTLS') && greeting.status !== 'PREAUTH'
    await requireEncryption({
      wire,
      access,
      explain,
      canEncrypt: isOffered,
      mustEncrypt: can.has('LOGINDISABLED'),
      encrypt: async () => {
        const said = await session.run({ parts: ['STARTTLS'] })
        if (said.status !== 'OK') throw explain.notEncrypted()
        await wire.secure(startTls)
        session.forgetCapabilities()
      },
    })
  }
  if (greeting.status !== 'PREAUTH') await logIn({ session, explain, access })
  // Some providers give no folder to a program that does not say what it is.
  if ((await session.capabilities()).has('ID')) await session.run({ parts: ['ID ("name" "Kontor")'] })
  const validity = await openFolder({ session, explain, folder: access.folder ?? 'INBOX' })
  return folderOf({ session, explain, wire, limits, validity })
}

type Folder = Pick<Opening, 'explain' | 'wire' | 'limits'> & { session: ImapSession; validity: string }

function folderOf({ session, explain, wire, limits, validity }: Folder): Mailbox {
  const sizes = new Map<number, number>()
  const placeOf = (uid: number) => `${validity}:${uid}`

  /** The messages of the days around the window: servers compare days, each in its own time zone. */
  async function search({ from, to }: MailWindow): Promise<number[]> {
    const found = new Set<number>()
    const first = toSearchDate(new Date(Math.max(0, from.getTime() - dayMs)))
    const last = toSearchDate(new Date(Math.min(to.getTime() + 2 * dayMs, latestMs)))
    const said = await session.run({
      parts: [`UID SEARCH SINCE ${first} BEFORE ${last}`],
      isSearch: true,
      onUntagged: (answer) => {
        for (const uid of uidsOf(answer)) found.add(uid)
      },
    })
    if (said.status !== 'OK') throw toRefusal(said, explain)
    return [...found].sort((one, other) => one - other)
  }

  async function describe(uids: readonly number[]): Promise<Map<number, Map<string, Value>>> {
    const wanted = new Set(uids)
    const read = new Map<number, Map<string, Value>>()
    if (uids.length === 0) return read
    const said = await session.run({
      parts: [`UID FETCH ${toSet(uids)} (UID INTERNALDATE RFC822.SIZE BODY.PEEK[${fields}])`],
      bytesMax: pageBytesMax,
      onUntagged: (answer) => {
        const items = itemsOf(answer)
        const uid = uidOf(items)
        // A server may send the items of a message one by one, and those of others without being asked.
        if (uid !== null && wanted.has(uid)) read.set(uid, new Map([...(read.get(uid) ?? []), ...items]))
      },
    })
    if (said.status === 'BAD') throw toRefusal(said, explain)
    // Messages may have been deleted meanwhile. One that is still there must not be passed over.
    const isMissing = await areThere(uids.filter((uid) => !read.has(uid)))
    if (isMissing) throw said.status === 'OK' ? explain.failure('GARBAGE') : toRefusal(said, explain)
    return read
  }

  /** Whether the folder has at least one of these messages now. */
  async function areThere(uids: readonly number[]): Promise<boolean> {
    if (uids.length === 0) return false
    const wanted = new Set(uids)
    let isThere = false
    const said = await session.run({
      parts: [`UID SEARCH UID ${toSet(uids)}`],
      isSearch: true,
      onUntagged: (answer) => {
        for (const uid of uidsOf(answer)) isThere ||= wanted.has(uid)
      },
    })
    if (said.status !== 'OK') throw toRefusal(said, explain)
    return isThere
  }

  function toListed(uid: number, items: Map<string, Value>): ListedMessage {
    const header = [...items].find(([name, value]) => name.startsWith('BODY[') && Buffer.isBuffer(value))?.[1]
    const { messageId, from, subject } = readHeaders(Buffer.isBuffer(header) ? header : Buffer.alloc(0))
    const size = sizeOf(items) ?? 0
    sizes.set(uid, size)
    return {
      place: placeOf(uid),
      size,
      receivedAt: readInternalDate(items.get('INTERNALDATE')),
      messageId,
      from,
      subject,
    }
  }

  /** Null if the message is gone. */
  async function askSize(uid: number): Promise<number | null> {
    let size: number | null = null
    const said = await session.run({
      parts: [`UID FETCH ${uid} (UID RFC822.SIZE)`],
      onUntagged: (answer) => {
        const items = itemsOf(answer)
        if (uidOf(items) === uid) size = sizeOf(items) ?? size
      },
    })
    if (said.status === 'BAD') throw toRefusal(said, explain)
    return size
  }

  async function fetchMessage(uid: number, target: MessageTarget) {
    return writeMessage(target, async (take) => {
      let isThere = false
      let isTaken = false
      const small: Buffer[] = []
      const said = await session.run({
        parts: [`UID FETCH ${uid} (UID BODY.PEEK[])`],
        bytesMax: overrun * target.maxBytes + pageBytesMax / overrun,
        literal: (before) => {
          if (isTaken || !/BODY\[\] ~?\{\d+\+?\}$/i.test(before)) return undefined
          isTaken = true
          return take
        },
        onUntagged: (answer) => {
          const items = itemsOf(answer)
          if (uidOf(items) !== uid) return
          const body = items.get('BODY[]')
          if (!Buffer.isBuffer(body)) return
          isThere = true
          small.push(body) // a short message may come as a quoted string
        },
      })
      if (said.status === 'BAD') throw toRefusal(said, explain)
      if (isTaken && !isThere) throw wire.fail(explain.failure('GARBAGE')) // a message that was not asked for
      if (!isThere) throw (await areThere([uid])) ? toRefusal(said, explain) : explain.failure('GONE')
      if (!isTaken) await take(Buffer.concat(small))
    })
  }

  return {
    async *list(window, isKnown) {
      if (window.from >= window.to) return
      const uids = await search(window)
      for (let at = 0; at < uids.length; at += pageMax) {
        const page = uids.slice(at, at + pageMax)
        const known = await isKnown(page.map(placeOf))
        const read = await describe(page.filter((uid) => !known.has(placeOf(uid))))
        const listed = page.flatMap((uid) => {
          if (known.has(placeOf(uid))) return [toKnown(placeOf(uid))]
          const items = read.get(uid)
          const message = items && toListed(uid, items)
          return message && isWithin(message.receivedAt, window) ? [message] : []
        })
        if (listed.length > 0) yield listed
      }
    },

    fetch: async (place, target) => {
      const [, of, digits] = /^(\d+):(\d+)$/.exec(place) ?? []
      if (of !== validity || digits === undefined) throw explain.failure('GONE') // the folder was renumbered
      const uid = Number(digits)
      const size = sizes.get(uid) ?? (await askSize(uid))
      if (size === null) throw explain.failure('GONE')
      return size > target.maxBytes ? { size, isFetched: false } : fetchMessage(uid, target)
    },

    async close() {
      if (!wire.isOpen) return
      const timer = setTimeout(() => wire.fail(explain.failure('CLOSED')), limits.goodbyeMs)
      await session.run({ parts: ['LOGOUT'], onNote: () => {} }).catch(() => {})
      clearTimeout(timer)
      wire.fail(explain.failure('CLOSED'))
    },
  }
}

/** The number that tells whether UIDs still mean the same messages. */
async function openFolder({ session, explain, folder }: Pick<Folder, 'session' | 'explain'> & { folder: string }) {
  let validity = '0'
  const examine = (name: string) =>
    session.run({
      parts: ['EXAMINE ', toArgument(name)],
      onNote: ({ status, code, text }) => {
        if (status === 'BYE') throw explain.failure('CLOSED', text)
        validity = /^UIDVALIDITY (\d{1,10})$/.exec(code)?.[1] ?? validity
      },
    })
  const said = await examine(folder.toUpperCase() === 'INBOX' ? 'INBOX' : toFolderName(folder))
  if (said.status === 'OK') return validity
  if (asksToWait(said.code, said.text)) throw explain.failure('UNAVAILABLE', said.text)
  const folders = await listFolders(session)
  const same = sameFolder(folders, folder)
  if (same && (await examine(same.sent)).status === 'OK') return validity
  throw explain.noFolder(folders.map(({ name }) => name))
}

type Listed = { name: string; sent: string; delimiter: string }

async function listFolders(session: ImapSession): Promise<Listed[]> {
  const folders: Listed[] = []
  await session.run({
    parts: ['LIST "" "*"'],
    onUntagged: ({ name, values: [flags, delimiter, folder] }) => {
      const isOpenable = Array.isArray(flags) && !flags.some((flag) => /^\\(Noselect|NonExistent)$/i.test(`${flag}`))
      const sent = typeof folder === 'string' ? folder : Buffer.isBuffer(folder) ? folder.toString('utf8') : ''
      if (name !== 'LIST' || !isOpenable || sent === '' || folders.length === foldersMax) return
      folders.push({
        name: fromFolderName(sent),
        sent,
        delimiter: Buffer.isBuffer(delimiter) ? delimiter.toString() : '',
      })
    },
  })
  return folders
}

/** People write `Bills/2026` where the server has `INBOX.Bills.2026`, and do not look at capitals. */
function sameFolder(folders: readonly Listed[], wanted: string): Listed | undefined {
  const plain = (name: string, delimiter: string) =>
    (delimiter ? name.split(delimiter).join('/') : name).normalize().toLowerCase()
  const asked = plain(wanted, '')
  const named = folders.map((folder) => ({ folder, name: plain(folder.name, folder.delimiter) }))
  const exact = named.find(({ name }) => name === asked) ?? named.find(({ name }) => name === `inbox/${asked}`)
  return exact?.folder
}

function uidsOf({ name, values }: Untagged): number[] {
  if (name === 'SEARCH') return values.flatMap((value) => (typeof value === 'string' ? (readSet(value, 1) ?? []) : []))
  if (name !== 'ESEARCH') return []
  const at = values.findIndex((value) => typeof value === 'string' && value.toUpperCase() === 'ALL')
  const set = at < 0 ? null : values[at + 1]
  return typeof set === 'string' ? (readSet(set, uidsMax) ?? []) : []
}

const itemsOf = ({ name, values }: Untagged) => (name === 'FETCH' ? readPairs(values[0]) : new Map<string, Value>())
const numberOf = (value: Value | undefined) =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null
const uidOf = (items: Map<string, Value>) => numberOf(items.get('UID'))
const sizeOf = (items: Map<string, Value>) => numberOf(items.get('RFC822.SIZE'))

const fields = 'HEADER.FIELDS (MESSAGE-ID FROM SUBJECT)'
/** Servers need not know years of five digits. */
const latestMs = Date.UTC(2100, 0)
const dayMs = 24 * 60 * 60 * 1000
const pageBytesMax = 256 * 1024 * 1024
const foldersMax = 10_000
const uidsMax = 2_000_000
