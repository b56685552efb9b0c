import { createHash } from 'node:crypto'
import type { ListedMessage, Mailbox, MailboxAccess } from '../../core/outside/mailbox.ts'
import type { Explain } from './explain.ts'
import { readHeaders } from './headers.ts'
import type { Opening } from './mailbox.ts'
import { overrun, writeMessage } from './message-file.ts'
import { isWithin, pageMax, toKnown } from './page.ts'
import { createPop3Session, type Pop3Session, type Pop3Status } from './pop3-session.ts'
import { asksToWait, requireEncryption, toXOAuth2 } from './sign-in.ts'

type Capabilities = Awaited<ReturnType<Pop3Session['capabilities']>>

/** Opens a mailbox of a POP3 server (RFC 1939). Nothing is ever deleted. */
export async function openPop3({ wire, access, explain, startTls, limits }: Opening): Promise<Mailbox> {
  const session = createPop3Session({ wire, explain })
  const greeting = await session.status()
  if (greeting.kind === 'ERR') throw explain.failure('UNAVAILABLE', greeting.text)
  if (greeting.kind !== 'OK') throw explain.failure('GARBAGE')
  let can = await session.capabilities()
  if (!access.tls) {
    await requireEncryption({
      wire,
      access,
      explain,
      canEncrypt: can?.has('STLS') ?? false,
      encrypt: async () => {
        if ((await session.ask('STLS')).kind !== 'OK') throw explain.notEncrypted()
        await wire.secure(startTls)
        can = await session.capabilities()
      },
    })
  }
  await logIn({ session, explain, access, can })
  return mailboxOf({ session, explain, wire, limits, can })
}

type Login = { session: Pop3Session; explain: Explain; access: MailboxAccess; can: Capabilities }

/** Signs in: with XOAUTH2 for an access token; else with AUTH PLAIN where it is offered, or with USER and PASS. */
async function logIn({ session, explain, access: { username, login }, can }: Login): Promise<void> {
  const offers = (mechanism: string) => can?.get('SASL')?.includes(mechanism) ?? false
  if ('accessToken' in login) {
    if (can && !offers('XOAUTH2')) throw explain.noWayToLogIn()
    return accept(await authenticate(session, 'XOAUTH2', toXOAuth2(username, login.accessToken)), explain)
  }
  if (offers('PLAIN')) {
    const secret = Buffer.from(`\0${username}\0${login.password}`).toString('base64')
    return accept(await authenticate(session, 'PLAIN', secret), explain)
  }
  if (can?.has('SASL') && !can.has('USER')) throw explain.noWayToLogIn()
  // A line break would begin another command.
  if (/[\r\n\0]/.test(username + login.password)) throw explain.failure('LOGIN')
  const said = await session.ask(`USER ${username}`)
  accept(said.kind === 'OK' ? await session.ask(`PASS ${login.password}`) : said, explain)
}

/** The secret goes in a line of its own: with the command it may be too long (RFC 5034). */
async function authenticate(session: Pop3Session, mechanism: string, secret: string): Promise<Pop3Status> {
  const said = await session.ask(`AUTH ${mechanism}`)
  if (said.kind !== 'CONTINUE') return said
  const answer = await session.ask(secret)
  // A refusal may come as a question, which is answered with nothing (the error response of XOAUTH2).
  return answer.kind === 'CONTINUE' ? session.ask('') : answer
}

function accept({ kind, code, text }: Pop3Status, explain: Explain): void {
  if (kind !== 'OK')
    throw asksToWait(code, text) ? explain.failure('UNAVAILABLE', text) : explain.failure('LOGIN', text)
}

/** The unique ids that the server gives to one message only. Some give one to several: their headers tell these apart. */
function uniquePlaces(places: ReadonlyMap<number, string> = new Map()): Map<number, string> {
  const all = [...places]
  const seen = new Set<string>()
  const repeated = new Set(all.flatMap(([, place]) => (seen.size === seen.add(place).size ? [place] : [])))
  return new Map(all.filter(([, place]) => !repeated.has(place)))
}

const rowForms = { LIST: /^(\d{1,10}) +(\d{1,12})/, UIDL: /^(\d{1,10}) +(\S{1,255})/ }

type Open = Pick<Opening, 'explain' | 'wire' | 'limits'> & { session: Pop3Session; can: Capabilities }
/** The number of a message is valid in this session alone. */
type Entry = { number: number; size: number; place: string | undefined }

function mailboxOf({ session, explain, wire, limits, can }: Open): Mailbox {
  let entries: Entry[] | undefined
  const numbers = new Map<string, Entry>()
  const atOnce = can?.has('PIPELINING') ? pipelineMax : 1

  async function table(command: 'LIST' | 'UIDL'): Promise<Map<number, string> | undefined> {
    const said = await session.ask(command)
    if (said.kind === 'CONTINUE') throw wire.fail(explain.failure('GARBAGE'))
    if (said.kind === 'ERR') {
      if (asksToWait(said.code, said.text)) throw explain.failure('UNAVAILABLE', said.text)
      return undefined
    }
    const rows = new Map<number, string>()
    let isOdd = false
    await session.lines((line) => {
      const [, number, value] = rowForms[command].exec(line) ?? []
      if (number === undefined || value === undefined) isOdd = true
      else rows.set(Number(number), value)
    })
    if (isOdd) throw wire.fail(explain.failure('GARBAGE'))
    return rows
  }

  /** All messages in their order, oldest first. Without UIDL their places are not known yet. */
  async function index(): Promise<Entry[]> {
    if (entries) return entries
    const sizes = await table('LIST')
    const places = uniquePlaces(await table('UIDL'))
    if (!sizes) throw wire.fail(explain.failure('GARBAGE'))
    entries = [...sizes]
      .map(([number, size]) => ({ number, size: Number(size), place: places.get(number) }))
      .sort((one, other) => one.number - other.number)
    for (const entry of entries) remember(entry)
    return entries
  }

  function remember(entry: Entry) {
    if (entry.place !== undefined && !numbers.has(entry.place)) numbers.set(entry.place, entry)
  }

  /** The headers of messages; of one that the server does not give, nothing. */
  async function headersOf(wanted: readonly Entry[]): Promise<Map<Entry, Buffer>> {
    const read = new Map<Entry, Buffer>()
    for (let at = 0; at < wanted.length; at += atOnce) {
      const batch = wanted.slice(at, at + atOnce)
      await session.send(batch.map(({ number }) => `TOP ${number} 0`).join('\r\n'))
      for (const entry of batch) {
        const said = await session.status()
        if (said.kind === 'CONTINUE') throw wire.fail(explain.failure('GARBAGE'))
        if (said.kind === 'OK') read.set(entry, await beginning())
      }
    }
    return read
  }

  async function beginning(): Promise<Buffer> {
    const kept: Buffer[] = []
    let size = 0
    await session.content(async (part) => {
      if (size < keptMax) kept.push(part.subarray(0, keptMax - size))
      size += part.length
    }, headerMax)
    return Buffer.concat(kept)
  }

  /** Gives places to messages of a server without UIDL: what their headers say. */
  async function place(page: readonly Entry[]): Promise<Map<Entry, Buffer>> {
    const headers = await headersOf(page.filter((entry) => entry.place === undefined))
    for (const [entry, header] of headers) {
      entry.place = `sha256-${createHash('sha256').update(withoutStatus(header)).digest('hex')}`
      remember(entry)
    }
    // Neither UIDL nor TOP: nothing tells one message from another.
    if (page.some((entry) => entry.place === undefined)) throw wire.fail(explain.failure('GARBAGE'))
    return headers
  }

  async function locate(wanted: string): Promise<Entry | undefined> {
    const all = await index()
    for (let at = 0; at < all.length && !numbers.has(wanted); at += pageMax) await place(all.slice(at, at + pageMax))
    return numbers.get(wanted)
  }

  return {
    async *list(window, isKnown) {
      if (window.from >= window.to) return
      const all = await index()
      for (let at = 0; at < all.length; at += pageMax) {
        const page = all.slice(at, at + pageMax)
        const placed = await place(page)
        // Of messages that cannot be told apart, the first is listed.
        const first = page.filter((entry) => numbers.get(entry.place ?? '') === entry)
        const known = await isKnown(first.map((entry) => entry.place ?? ''))
        const unread = first.filter((entry) => !placed.has(entry) && !known.has(entry.place ?? ''))
        const headers = new Map([...placed, ...(await headersOf(unread))])
        const listed = first.flatMap((entry): ListedMessage[] => {
          if (known.has(entry.place ?? '')) return [toKnown(entry.place ?? '')]
          const { receivedAt, ...header } = readHeaders(headers.get(entry) ?? Buffer.alloc(0))
          if (!isWithin(receivedAt, window)) return []
          return [{ place: entry.place ?? '', size: entry.size, receivedAt, ...header }]
        })
        if (listed.length > 0) yield listed
      }
    },

    fetch: async (place, target) => {
      const entry = await locate(place)
      if (!entry) throw explain.failure('GONE')
      if (entry.size > target.maxBytes) return { size: entry.size, isFetched: false }
      return writeMessage(target, async (take) => {
        const said = await session.ask(`RETR ${entry.number}`)
        if (said.kind === 'CONTINUE') throw wire.fail(explain.failure('GARBAGE'))
        if (said.kind === 'ERR')
          throw asksToWait(said.code, said.text) ? explain.failure('UNAVAILABLE', said.text) : explain.failure('GONE')
        try {
          await session.content(take, overrun * target.maxBytes + headerMax)
        } catch (error) {
          throw wire.fail(error) // the rest of the answer is unread
        }
      })
    },

    async close() {
      if (!wire.isOpen) return
      const timer = setTimeout(() => wire.fail(explain.failure('CLOSED')), limits.goodbyeMs)
      await session.ask('QUIT').catch(() => {})
      clearTimeout(timer)
      wire.fail(explain.failure('CLOSED'))
    },
  }
}

/** Some servers write in the header whether a message was read. */
const withoutStatus = (header: Buffer) => header.toString('latin1').replace(/^(x-)?status:.*\r?\n/gim, '')

const pipelineMax = 50
const keptMax = 64 * 1024
const headerMax = 32 * 1024 * 1024
