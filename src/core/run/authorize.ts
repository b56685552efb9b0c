import { toSnake } from '../../db/names.ts'
import { atLeast, hasScope, type Role, scopesCovering } from '../define/access.ts'
import { Failure, forbidden, invalid, notFound, unauthenticated } from '../define/failure.ts'
import type { Operation, OrganizationLookup } from '../define/operation.ts'
import { isId } from '../values/id.ts'
import { memoize } from '../values/memoize.ts'
import type { Call, Caller } from './call.ts'
import { principalOf } from './idempotency.ts'
import { type PayrollRights, setOrganization, setPayroll } from './transaction-context.ts'

/** The answer of authorize_request() in the database: null where there is nothing for this caller. */
export type Authorization = {
  userId: string | null
  keyId: string | null
  sessionId: string | null
  scopes: string[] | null
  /** How long ago, by the database's clock. */
  signedInAgoH: number | null
  organizationId: string | null
  role: Role | null
  reachable: number | null
  /** The connected app that calls, and which app that is. */
  appId: string | null
  clientId: string | null
  /**
   * Of the run of an automation: who saved its graph. `userId` is who tested or replayed it, or else the owner. Another person
   * here means that the run is not one of `userId` alone.
   */
  authorUserId?: string | null
  /** Of the run of an automation: its owner, its author, and who tested or replayed it. */
  actingFor?: string[]
  /** Whose payroll data the caller may read here. */
  payroll?: PayrollRights
}

/** How the organization of a call is found; the `place` of authorize_request(). */
export type LookupKind = 'CALLER' | 'ROW' | 'NAMED' | 'ONLY' | 'ALL'

/** The statement that identifies the caller, finds the organization and confines the transaction to it. */
export function authorizeStatement(operation: Operation, call: Call): [text: string, values: unknown[]] {
  const { caller, input, once } = call
  if (caller.link) return [linkText, [caller.link.organizationId, operation.role, payrollOfLink(operation)]]
  if (caller.source === 'AUTOMATION') return authorizeRunStatement(operation, call)
  const kind = organizationLookup(operation, input)
  const { text, retryText, id } = targetOf(operation, kind, input)
  const values = [
    credentialKind(caller),
    caller.credential,
    caller.userId ?? null,
    kind,
    id,
    operation.orSelf ? 'EMPLOYEE' : operation.role, // with orSelf, requireOrganization() checks the role
    fittingScopes(operation),
  ]
  if (!once || !retryText) return [text, values]
  return [retryText, [...values, principalOf(caller), once.key, once.fingerprint]]
}

/** The same for a step of an automation: the database finds the rights of the run itself. */
function authorizeRunStatement(operation: Operation, { caller, input, once }: Call): [text: string, values: unknown[]] {
  const kind = organizationLookup(operation, input)
  const { text, retryText, id } = runTargetOf(operation, kind, input)
  const needed = operation.orSelf ? 'EMPLOYEE' : operation.role
  const values = [caller.runId ?? null, kind, id, needed, fittingScopes(operation)]
  if (!once || !retryText) return [text, values]
  return [retryText, [...values, caller.userId, once.key, once.fingerprint]]
}

/** As PostgreSQL writes an array; scopes have no character that would need quoting. */
const fittingScopes = memoize(({ scope }: Operation) => `{${scopesCovering(scope).join()}}`)

/** A link was signed for one row of one organization: it has no person, and the operation concerns that row only. */
const linkText = `select null::uuid as user_id, null::uuid as key_id, null::uuid as session_id, null::text[] as scopes,
    null::timestamptz as signed_in_at, $1::uuid as organization_id, $2::text::member_role as role,
    null::integer as reachable, ${setOrganization('$1::uuid::text')} as done, ${setPayroll('$3')} as payroll`

/** The link to a file was signed for a caller who might read it. */
const payrollOfLink = ({ within }: Operation): PayrollRights => (within === 'files' ? 'all' : '')

/** For a retry of the request that deleted the row: the organization in which its answer is remembered. */
const rememberedOrganization = 'remembered_organization($8, $2, $3, $9, $10)'
const rememberedOrganizationOfRun = 'remembered_organization(null, null, $6, $7, $8)'

export const credentialKind = ({ source, credentialOf }: Pick<Caller, 'source' | 'credentialOf'>) =>
  source === 'COMPANION' ? (credentialOf ?? 'PERSON') : source

export function organizationLookup(
  { within, reads, input: schema }: Operation,
  input: Record<string, unknown>,
): LookupKind {
  if (within === 'caller') return 'CALLER'
  if (typeof within === 'object' && input[within.by] === undefined) return 'CALLER' // validation refuses the missing field
  if (within !== 'organizationId') return 'ROW'
  if (input.organizationId !== undefined) return 'NAMED'
  if (schema.required?.includes('organizationId')) return 'CALLER' // validation refuses the missing field
  return reads ? 'ALL' : 'ONLY'
}

function targetOf(operation: Operation, kind: LookupKind, input: Record<string, unknown>) {
  if (kind !== 'ROW') return { text: organizationText, id: kind === 'NAMED' ? textId(input.organizationId) : null }
  const { text, retryText, by, toId } = ownerOf(operation)
  return { text, retryText, id: toId(input[by]) }
}

// The fields are taken from a value: `select * from authorize_request(…)` would store the row and read it back, which takes
// PostgreSQL as long as a tenth of the authorization.
const payrollText = "current_setting('app.payroll', true) as payroll"
const authorizedFields = `(a).user_id, (a).key_id, (a).session_id, (a).scopes, (a).organization_id, (a).role, (a).reachable,
     (a).app_id, (a).client_id`
const authorizeText = (target: string) =>
  `select ${authorizedFields}, extract(epoch from now() - (a).signed_in_at)::float8 / 3600 as signed_in_ago_h, ${payrollText}
   from (select authorize_request($1, $2, $3, $4, ${target}, $6::text::member_role, $7) as a) as authorized`
const organizationText = authorizeText('$5')

/** The statements for an operation on a row: for a call without an Idempotency-Key, and for one that may be a retry. */
const ownerOf = memoize(({ within }: Operation) => {
  const { table, by, kind, idOf } = typeof within === 'object' ? within : { table: within, by: 'id' }
  if (idOf === 'caller') return ownerOfCallersRow(by)
  const owner = (id: string) => `owner_of_${toSnake(table)}(${id}${kind ? `, '${kind}'` : ''})`
  return {
    by,
    toId: textId,
    text: authorizeText(owner('$5')),
    retryText: authorizeText(`coalesce(${owner('$5')}, ${rememberedOrganization})`),
    runText: authorizeRunText(owner('$3')),
    runRetryText: authorizeRunText(`coalesce(${owner('$3')}, ${rememberedOrganizationOfRun})`),
  }
})

/** Of a row whose id the client chose, which is unique among those of the caller. Automations have no such rows. */
function ownerOfCallersRow(by: string) {
  const owner = 'owner_of_companion_session($1, $2, $3, $5)'
  return {
    by,
    toId: (value: unknown) => (typeof value === 'string' && clientId.test(value) ? value : null),
    text: authorizeText(owner),
    retryText: authorizeText(`coalesce(${owner}, ${rememberedOrganization})`),
    runText: authorizeRunText(nowhere),
    runRetryText: authorizeRunText(`coalesce(${nowhere}, ${rememberedOrganizationOfRun})`),
  }
}
const clientId = /^[A-Za-z0-9_-]{1,64}$/
const nowhere = '(select null::uuid where $3::text is null)'

const authorizeRunText = (target: string) =>
  `select ${authorizedFields}, (a).author_user_id, (a).acting_for, null::float8 as signed_in_ago_h, ${payrollText}
   from (select authorize_run($1, $2, ${target}, $4::text::member_role, $5) as a) as authorized`
const runInOrganizationText = authorizeRunText('$3')

function runTargetOf(operation: Operation, kind: LookupKind, input: Record<string, unknown>) {
  if (kind !== 'ROW') return { text: runInOrganizationText, id: kind === 'NAMED' ? textId(input.organizationId) : null }
  const { runText, runRetryText, by } = ownerOf(operation)
  return { text: runText, retryText: runRetryText, id: textId(input[by]) }
}

const textId = (value: unknown) => (typeof value === 'string' && isId(value) ? value : null)

/**
 * The same operation in the organization that the call names, where its row is not found: what the caller may not do there is
 * refused before they are told that there is no such row. Undefined where the call names none.
 */
export function inNamedOrganization(operation: Operation, { caller, input }: Call): Operation | undefined {
  if (caller.link || typeof input.organizationId !== 'string') return undefined
  return organizationLookup(operation, input) === 'ROW' ? { ...operation, within: 'organizationId' } : undefined
}

/** Throws 401, 403 or 404 unless the caller may do this here, in the order the contract checks them. */
export function checkAuthorization(
  operation: Operation,
  { caller, input, unreadable }: Call,
  authorization: Authorization,
): void {
  if (caller.source === 'LINK') {
    requireLink(operation, caller, authorization)
    return
  }
  if (authorization.userId === null || caller.source === 'PUBLIC') throw unknownCaller(caller)
  if (!operation.sources.includes(caller.source)) {
    throw forbidden(
      `This can be done from ${operation.sources.map((source) => source.toLowerCase().replace('_', ' ')).join(' or ')} only.`,
      'SOURCE',
    )
  }
  if (!hasScope(authorization.scopes, operation.scope)) {
    throw forbidden(`This needs the scope ${operation.scope}, which the credential does not have.`, 'SCOPE')
  }
  if (operation.within === 'caller' && !isOwnAccount(authorization)) {
    throw forbidden(
      'This acts on a personal account, and the owner, the author and the starter of this run are not one person.',
      'PERSONAL',
    )
  }
  if (operation.signedInWithinH && credentialKind(caller) === 'SESSION')
    requireRecentSignIn(operation.signedInWithinH, authorization)
  requireOrganization(operation, { caller, input, unreadable }, authorization)
}

/** The author of a graph acts in the name of its owner, but is not the owner. */
const isOwnAccount = ({ userId, authorUserId = userId }: Authorization) => authorUserId === userId

function requireLink({ link, reads, linkWrites }: Operation, caller: Caller, { organizationId }: Authorization) {
  if (!link || !(reads || linkWrites) || organizationId === null || organizationId !== caller.link?.organizationId) {
    throw unauthenticated('This link is not valid here.')
  }
}

export const unknownCaller = (caller: Caller) => unauthenticated(credentialProblem(caller))

function credentialProblem(caller: Caller) {
  const { credential, source: calledBy } = caller
  const source = calledBy === 'COMPANION' ? credentialKind(caller) : calledBy
  if (source === 'AUTOMATION')
    return 'This automation may do nothing: its owner or author has left, or what it was saved with has ended.'
  if (!credential) return 'Sign in, or send an API key: Authorization: Bearer <key>.'
  if (source === 'OAUTH')
    return 'This access token is not valid: it is unknown, revoked, expired or for another service.'
  return source === 'API_KEY'
    ? 'This API key is not valid: it is unknown, revoked or expired.'
    : 'The session has ended. Sign in again.'
}

function requireRecentSignIn(hours: number, { signedInAgoH }: Authorization) {
  if (signedInAgoH !== null && signedInAgoH <= hours) return
  const message = 'Sign in again to do this: your last sign-in was too long ago.'
  const params = { signedInWithinH: hours }
  throw new Failure('FORBIDDEN', message, { details: [{ path: '', message, code: 'SIGN_IN_AGAIN', params }] })
}

function requireOrganization(
  operation: Operation,
  { caller, input, unreadable }: CallInput,
  authorization: Authorization,
) {
  const { organizationId, role, reachable } = authorization
  const named = input.organizationId
  const kind = organizationLookup(operation, input)
  if (kind === 'CALLER' || kind === 'ALL') return
  if (kind === 'NAMED' && typeof named !== 'string') return // validation refuses it
  if (kind === 'ROW' && input[ownerOf(operation).by] === undefined && !unreadable) throw missingRowId(operation)
  if (kind === 'ONLY' && unreadable) throw unreadable // the body may have named the organization
  if (kind === 'ONLY' && reachable !== 1) {
    const several = 'organizationId is missing: you belong to several organizations, so name one.'
    const none = 'You belong to no organization that this credential can access.'
    throw invalid('organizationId', reachable === 0 ? none : several)
  }
  if (organizationId === null || role === null) {
    throw kind === 'NAMED'
      ? forbidden('You do not belong to that organization.', 'ORGANIZATION')
      : notFound(resourceNoun(operation.within))
  }
  if (kind === 'ROW' && named !== undefined && String(named).toLowerCase() !== organizationId) {
    throw notFound(resourceNoun(operation.within))
  }
  if (!atLeast(role, operation.role) && !namesSelf(operation, input, authorization)) {
    const has =
      caller.source === 'AUTOMATION'
        ? `this automation has ${role}, the lower one of its owner and its author`
        : `yours is ${role}`
    throw forbidden(`This needs the role ${operation.role} in the organization; ${has}.`, 'ROLE')
  }
}

const namesSelf = ({ orSelf }: Operation, input: Call['input'], authorization: Authorization) =>
  orSelf !== undefined && String(input[orSelf]).toLowerCase() === authorization.userId && isOwnAccount(authorization)

/** An HTTP path always names the row; a tool call may leave it out. */
function missingRowId(operation: Operation) {
  const { by } = ownerOf(operation)
  return invalid(by, `${by} is missing: give the id of the ${resourceNoun(operation.within)}.`)
}

type CallInput = Pick<Call, 'input' | 'caller'> & { unreadable: Call['unreadable'] }

/** The noun for messages: `bankAccounts` becomes `bank account`. */
export function resourceNoun(within: OrganizationLookup): string {
  const table = typeof within === 'object' ? within.table : within
  const words = table.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.endsWith('ies') ? `${words.slice(0, -3)}y` : words.replace(/s$/, '')
}
