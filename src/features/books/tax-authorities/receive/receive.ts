import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Failure } from '../../../../core/define/failure.ts'
import { type JobContext, job } from '../../../../core/define/job.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { toLabel } from '../../../../core/files/file.ts'
import type { AccessPoint, ReceivedDocument, Unauthorized } from '../../../../core/outside/access-point.ts'
import type { AuthorityTrouble } from '../../../../core/outside/tax-authority.ts'
import type { Secret } from '../../../../core/secrets/secret.ts'
import { timeLimit } from '../../../../core/values/time-limit.ts'
import { readSettings } from '../../../buying/scans/expense-of-files.ts'
import { hintsOf } from '../../../buying/scans/scan.ts'
import { storeFile } from '../../../platform/files/store.ts'
import { withAccessToken } from '../access-token.ts'
import { type Connection, openConnection } from '../connection.ts'
import { noteFailure } from '../failure.ts'
import { handlerOf } from '../integrations.ts'
import { receiveEInvoicesName } from './queue.ts'
import { personFor, type Target, writeReceived } from './write-received.ts'

/** The integration whose access point receives documents; start_receiving() asks for the same one. */
const receivedBy = 'sg-invoicenow'

/** How long a poll works; what is left is listed again by the next one. */
const pollMs = 120_000

/**
 * Fetches what an access point has received for an organization. Each document makes one expense and is confirmed after that
 * has committed; one that is listed again, because the confirmation was lost, is known and only confirmed.
 */
export const receiveEInvoices = job(
  receiveEInvoicesName,
  Type.Object({ connectionId: Id }),
  async (context, { connectionId }) => {
    const { organizationId, secrets } = context
    if (organizationId === null) return
    const connection = await context.tx(({ db }) => openConnection({ db, secrets, organizationId }, receivedBy))
    if (connection?.id !== connectionId) return // other credentials have a job of their own
    const trouble = await poll(context, { organizationId, connection })
    if (trouble?.kind === 'refused') await context.tx(({ db }) => noteFailure(db, connectionId, trouble.message))
  },
)

/** Enqueues a poll for each organization that is connected. */
export const startReceiving = job(
  'start-receiving',
  Type.Object({}, { additionalProperties: true }),
  async ({ tx }) => void (await tx(({ db }) => sql`select start_receiving()`.execute(db))),
)

type Polled = { organizationId: string; connection: Connection }

async function poll(context: JobContext, polled: Polled): Promise<AuthorityTrouble | undefined> {
  const { organizationId, connection } = polled
  const { accessPoint } = context.taxAuthorities
  const signal = timeLimit(pollMs, context.signal)
  const caller = { organizationId, environment: connection.environment, signal }
  const requestTokens = handlerOf(context.clearanceHandlers, receivedBy).requestTokens(context.taxAuthorities)
  const call: Call = (ask) =>
    withAccessToken({ ...context, organizationId, requestTokens, signal }, connection, (accessToken) =>
      ask(accessPoint, caller, accessToken),
    )
  const participant = connection.credentials.participantId?.trim() ?? ''
  const listed = await call((point, asking, accessToken) => point.received(asking, { accessToken, participant }))
  if (listed.kind !== 'listed') return listed
  const userId = await context.tx((inside) => personFor(inside, connection.id))
  for (const document of listed.documents) {
    if (signal.aborted) return undefined
    const goesOn = await take(context, { userId, organizationId, environment: connection.environment, document }, call)
    if (!goesOn) return undefined
  }
  return undefined
}

type Caller = Parameters<AccessPoint['received']>[0]
type Call = <T extends { kind: string }>(
  ask: (accessPoint: AccessPoint, caller: Caller, accessToken: Secret) => Promise<T | Unauthorized>,
) => Promise<T | AuthorityTrouble>

/** Takes one document over and confirms it. False if the poll cannot go on now. */
async function take(context: JobContext, target: Target, call: Call): Promise<boolean> {
  const { id } = target.document
  if (!(await isKnown(context, target))) {
    const fetched = await call((point, caller, accessToken) => point.fetchReceived(caller, { accessToken, id }))
    if (fetched.kind !== 'content') return fetched.kind !== 'refused' // it is listed again by the next poll
    if (!(await makeExpense(context, target, fetched.bytes))) return false
  }
  await call((point, caller, accessToken) => point.confirmReceived(caller, { accessToken, id }))
  return true
}

const isKnown = ({ read }: JobContext, { environment, document }: Target) =>
  read(async ({ db }) => {
    const row = await db
      .selectFrom('receivedEinvoices')
      .select('id')
      .where('environment', '=', environment)
      .where('accessPointId', '=', document.id)
      .executeTakeFirst()
    return row !== undefined
  })

/** Reads the file and makes its expense. False if the reader has no time, or the month no scan left. */
async function makeExpense(context: JobContext, target: Target, bytes: Buffer): Promise<boolean> {
  const settings = await context.read(readSettings)
  if (settings.isUsedUp) return false
  const path = context.storage.scratch()
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' })
    const began = performance.now()
    const { organizationId, document } = target
    const hints = hintsOf(settings.organization, new Date())
    const outcome = await context.receiptReader.read({ path, contentType: xml, hints, organizationId })
    if ('unread' in outcome && (outcome.unread === 'BUSY' || context.signal.aborted)) return false
    const { row } = await storeFile(context, uploadOf(document, path, bytes), 'expense-attachment')
    const processingTimeMs = Math.round(performance.now() - began)
    await writeReceived(context, target, { outcome, processingTimeMs, settings, row })
    return true
  } catch (error) {
    if (isQuota(error)) return false
    throw error
  } finally {
    await rm(path, { force: true })
  }
}

const xml = 'application/xml'

const uploadOf = ({ id }: ReceivedDocument, path: string, bytes: Buffer) => ({
  fileName: toLabel(`${id}.xml`),
  fileType: xml,
  declaredType: xml,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  path,
})

const isQuota = (error: unknown) => error instanceof Failure && error.details.some(({ code }) => code === 'SCAN_QUOTA')
