import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../catalog/operations.ts'
import { type Operation, onSurface } from '../../core/define/operation.ts'
import { problemsOf } from '../../core/define/validate.ts'
import { isFile } from '../../core/files/file.ts'
import type { Caller } from '../../core/run/call.ts'
import { newId, sha256 } from '../../core/values/id.ts'
import {
  noteViewName,
  type PublicLink,
  publicLinkUrl,
  readToken,
} from '../../features/selling/documents/public-page/public-link.ts'
import { expectRefusal } from '../refusal.ts'
import { sell } from '../sales-documents.ts'
import { sample } from '../sample.ts'
import { member, type Reply, type Someone, send, theApp, withKey } from '../world.ts'

/** Every operation that the holder of a document's link may call: by which token it opens, and by which it does not. */

/** Operations with an address. A view is noted by the page itself, when it is opened. */
const byLink = onSurface(operations, 'public-page').filter(({ name }) => name !== noteViewName)
const writes = byLink.filter(({ reads }) => !reads)

let amy: Someone
let eve: Someone
beforeAll(async () => {
  amy = await member('CONTRIBUTOR')
  eve = await member('CONTRIBUTOR')
})

type Shared = { id: string; token: string; attachmentId: string }

/** An issued document with an attachment, and the token of its link. */
async function share(someone: Someone, status = 'UNSENT'): Promise<Shared> {
  const { id } = await sell(someone)
  const file = { fileName: 'note.txt', base64: Buffer.from('Hello').toString('base64') }
  const { id: attachmentId } = await someone.call('invoices_attachments', { id, file })
  if (status === 'DRAFT') return { id, attachmentId, token: tokenFor({ ...ownerOf(someone), id, linkVersion: 1 }) }
  await someone.call('invoices_update', { id, status: 'UNSENT' })
  const { url } = await someone.call('invoices_link', { id })
  return { id, attachmentId, token: new URL(url).pathname.slice('/d/'.length) }
}

const ownerOf = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })

/** A token that this server signs. */
const tokenFor = (link: PublicLink) => new URL(publicLinkUrl(theApp().services, link)).pathname.slice('/d/'.length)

/** What a page sends in the body. */
function bodyOf(operation: Operation): Record<string, unknown> {
  const given = sample(operation.input) as Record<string, unknown>
  const { id: _, linkVersion: _version, visitor: _visitor, attachmentId: _attachment, ...body } = given
  return body
}

const open = (
  operation: Operation,
  { token, attachmentId }: Pick<Shared, 'token' | 'attachmentId'>,
  more: object = {},
) => {
  const url = operation.path.replace('{token}', token).replace('{attachmentId}', attachmentId)
  const body = operation.reads ? undefined : { ...bodyOf(operation), ...more }
  const headers = { origin: 'http://127.0.0.1:3000', 'x-request-id': newId() }
  return send({ method: operation.method, url, body, headers })
}

const succeeds = (reply: Reply, operation: Operation) => expect(reply).toMatchObject({ status: operation.status })

describe('THR-26: only the token of the document opens it', () => {
  test.each(byLink)('$name', async (operation) => {
    const [hers, another, foreign, draft] = [
      await share(amy),
      await share(amy),
      await share(eve),
      await share(amy, 'DRAFT'),
    ]
    succeeds(await open(operation, hers), operation)
    const link = readToken(theApp().services, hers.token) as PublicLink
    const signed = (change: Partial<PublicLink>) => tokenFor({ ...link, ...change })
    const wrong = {
      'no token': '-',
      'a token with more after it': `${hers.token}a`,
      'half a token': hers.token.slice(0, hers.token.length / 2),
      ...Object.fromEntries(altered(hers.token).map((token, at) => [`the token altered in byte ${at}`, token])),
      'the signature of this token for another document': forged(hers.token, another.token),
      'the signature of this token for another organization': forged(hers.token, foreign.token),
      'a document of another organization': signed({ id: foreign.id }),
      'another organization than that of the document': signed(ownerOf(eve)),
      'a document that does not exist': signed({ id: newId() }),
      'another version of the link': signed({ linkVersion: link.linkVersion + 1 }),
      'a draft': draft.token,
    }
    for (const [why, token] of Object.entries(wrong))
      expect({ why, status: (await open(operation, { ...hers, token })).status }).toEqual({ why, status: 404 })
    succeeds(await open(operation, hers), operation)
    await amy.call('invoices_link_renew', { id: hers.id })
    expect(await open(operation, hers)).toMatchObject({ status: 404 })
    expect(await historyOf(another.id)).not.toContain('CUSTOMER')
    expect(await historyOf(foreign.id)).not.toContain('CUSTOMER')
  })
})

/** The token with one bit changed, at some of its bytes. */
function altered(token: string): string[] {
  const bytes = Buffer.from(token, 'base64url')
  return [...bytes.keys()]
    .filter((at) => at % 9 === 0 || at === bytes.length - 1)
    .map((at) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
      return copy.toString('base64url')
    })
}

/** What the second token names, under the signature of the first. */
function forged(token: string, other: string): string {
  const [bytes, named] = [Buffer.from(token, 'base64url'), Buffer.from(other, 'base64url')]
  const signatureAt = bytes.length - 32
  return Buffer.concat([named.subarray(0, signatureAt), bytes.subarray(signatureAt)]).toString('base64url')
}

const historyOf = async (documentId: string) => {
  const { rows } = await theApp().system.raw.query('select payload from document_events where document_id = $1', [
    documentId,
  ])
  return JSON.stringify(rows)
}

test('INV-18: a link does not open the attachment of another document', async () => {
  const [hers, another, foreign] = [await share(amy), await share(amy), await share(eve)]
  const file = byLink.find(({ path }) => path.includes('{attachmentId}')) as Operation
  succeeds(await open(file, hers), file)
  for (const { attachmentId } of [another, foreign])
    expect(await open(file, { ...hers, attachmentId })).toMatchObject({ status: 404 })
})

describe('no credential opens these operations, not even that of an owner', () => {
  test.each(byLink)('$name', async (operation) => {
    const { id, attachmentId } = await share(amy)
    const input = { ...(sample(operation.input) as object), id, linkVersion: 1, attachmentId }
    const fields = Object.entries(input).filter(([field]) => field in operation.input.properties)
    const run = (caller: Partial<Caller> & Pick<Caller, 'source'>) =>
      theApp().runner.run(operation, {
        caller: { credential: null, requestId: newId(), ...caller },
        input: Object.fromEntries(fields),
        trace: {},
      })
    const link = { organizationId: String(amy.organizationId) }
    expect(await run({ source: 'LINK', link })).toMatchObject({ status: operation.status })
    const secrets = [amy, await withKey(amy)].map(({ credentials }) =>
      sha256(
        Object.values(credentials)
          .join('')
          .replace(/^(Bearer |sid=)/, ''),
      ),
    )
    await expect(run({ source: 'SESSION', credential: secrets[0] ?? null })).rejects.toMatchObject({ status: 403 })
    await expect(run({ source: 'API_KEY', credential: secrets[1] ?? null })).rejects.toMatchObject({ status: 403 })
    await expect(run({ source: 'COMPANION', userId: amy.userId })).rejects.toMatchObject({ status: 403 })
    await expect(run({ source: 'PUBLIC' })).rejects.toMatchObject({ status: 401 })
    await expect(run({ source: 'LINK', link: { organizationId: String(eve.organizationId) } })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('the answer fits the schema', () => {
  test.each(byLink.filter(({ output }) => !isFile(output)))('$name', async (operation) => {
    const { id } = await share(amy)
    const input = { ...(sample(operation.input) as object), id, linkVersion: 1 }
    const caller = { source: 'LINK', credential: null, link: ownerOf(amy), requestId: newId() } as const
    const { body } = await theApp().runner.run(operation, { caller, input, trace: {} })
    expect(problemsOf(operation.output, JSON.parse(body))).toEqual([])
  })
})

describe('an unknown field, and one that the server fills in, changes nothing', () => {
  test.each(writes)('$name', async (operation) => {
    const [hers, another] = [await share(amy), await share(amy)]
    for (const field of ['colour', 'organizationId', 'status', 'constructor']) {
      const reply = await open(operation, hers, { [field]: another.id })
      expectRefusal(reply, 'VALIDATION')
      expect(reply.body).toMatchObject({ error: { details: [{ path: field }] } })
    }
    succeeds(await open(operation, hers, { id: another.id, linkVersion: 7 }), operation)
    expect(await historyOf(hers.id)).toContain('CUSTOMER')
    expect(await historyOf(another.id)).not.toContain('CUSTOMER')
  })
})

describe('a page of another site changes nothing', () => {
  test.each(writes)('$name', async (operation) => {
    const { token, id } = await share(amy)
    const url = operation.path.replace('{token}', token)
    const from = (origin: string) => send({ method: 'POST', url, body: bodyOf(operation), headers: { origin } })
    expectRefusal(await from('https://evil.example'), 'FORBIDDEN', 'FOREIGN_ORIGIN')
    expect(await historyOf(id)).not.toContain('CUSTOMER')
    succeeds(await from('http://127.0.0.1:3000'), operation)
  })
})

describe('INV-19: a write leaves one audit row about the document, without a person; a refused one leaves none', () => {
  test.each(writes)('$name', async (operation) => {
    const hers = await share(amy)
    const refused = await open(operation, hers, { colour: 'red' })
    expectRefusal(refused, 'VALIDATION')
    expect(await trail(refused)).toEqual([])
    const reply = await open(operation, hers)
    succeeds(reply, operation)
    expect(await trail(reply)).toMatchObject([
      {
        operation: operation.name,
        source: 'LINK',
        organizationId: amy.organizationId,
        userId: null,
        objectId: hers.id,
      },
    ])
  })
})

const trail = ({ headers }: Reply) =>
  theApp().system.use((db) =>
    db.selectFrom('auditLog').selectAll().where('requestId', '=', String(headers['x-request-id'])).execute(),
  )
