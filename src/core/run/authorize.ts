import { toSnake } from '../../db/names.ts'
import { allows, atLeast, type CallerSource, type Role, scopesCovering } from '../define/access.ts'
import { forbidden, invalid, notFound, unauthenticated } from '../define/failure.ts'
import type { Operation, OrganizationLookup } from '../define/operation.ts'
import { isId } from '../values/id.ts'
import { memoize } from '../values/memoize.ts'
import type { Call, Caller } from './call.ts'
import { principalOf } from './idempotency.ts'

/** What enter() found (db/migrations/0003_enter.sql): null where there is nothing for this caller. */
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
}

type PlaceKind = 'CALLER' | 'ROW' | 'NAMED' | 'ONLY' | 'ALL'

/** The statement that proves the caller, finds the organization and confines the transaction to it. */
export function authorizeStatement(operation: Operation, call: Call): [text: string, values: unknown[]] {
  const { caller, input, once } = call
  if (caller.link) return [enterByLink, [caller.link.organizationId, operation.role]]
  const kind = organizationLookup(operation, input)
  const { text, again, id } = targetOf(operation, kind, input)
  const values = [
    credentialKind(caller.source),
    caller.credential,
    caller.userId ?? null,
    kind,
    id,
    operation.orSelf ? 'EMPLOYEE' : operation.role, // then admit() judges the role: it knows who calls
    scopesCovering(operation.scope),
  ]
  if (!once || !again) return [text, values]
  return [again, [...values, principalOf(caller), once.key, once.fingerprint]]
}

/** A link was signed for one row of one organization: there is nobody to prove, and the operation is about that row alone. */
const enterByLink = `select null::uuid as user_id, null::uuid as key_id, null::uuid as session_id, null::text[] as scopes,
    null::timestamptz as signed_in_at, $1::uuid as organization_id, $2::text::member_role as role,
    null::integer as reachable, set_config('app.organization', $1::uuid::text, true) as done`

/** A row that is gone, asked for again with the key that deleted it: the organization where that is remembered. */
const rememberedPlace = 'remembered_organization($8, $2, $3, $9, $10)'

export const credentialKind = (source: CallerSource) =>
  source === 'AUTOMATION' || source === 'COMPANION' ? 'PERSON' : source

export function organizationLookup(
  { within, reads, input: schema }: Operation,
  input: Record<string, unknown>,
): PlaceKind {
  if (within === 'caller') return 'CALLER'
  if (within !== 'organizationId') return 'ROW'
  if (input.organizationId !== undefined) return 'NAMED'
  if (schema.required?.includes('organizationId')) return 'CALLER' // and the missing field is refused next
  return reads ? 'ALL' : 'ONLY'
}

function targetOf(operation: Operation, kind: PlaceKind, input: Record<string, unknown>) {
  if (kind !== 'ROW') return { text: enterHere, id: kind === 'NAMED' ? textId(input.organizationId) : null }
  const { text, again, by } = ownerOf(operation)
  return { text, again, id: textId(input[by]) }
}

const enterText = (target: string) =>
  `select *, extract(epoch from now() - signed_in_at)::float8 / 3600 as signed_in_ago_h
   from enter($1, $2, $3, $4, ${target}, $6::text::member_role, $7)`
const enterHere = enterText('$5')

/** The texts that enter by a row: at first, and again with an Idempotency-Key. */
const ownerOf = memoize(({ within }: Operation) => {
  const { table, by } = typeof within === 'object' ? within : { table: within, by: 'id' }
  const owner = `owner_of_${toSnake(table)}($5)`
  return { text: enterText(owner), again: enterText(`coalesce(${owner}, ${rememberedPlace})`), by }
})

const textId = (value: unknown) => (typeof value === 'string' && isId(value) ? value : null)

/** Confines a later flush of a read as enter() confined the first one. */
export const confineStatement = "select set_config('app.person', $1, true), set_config('app.organization', $2, true)"

/** Throws 401, 403 or 404 unless the caller may do this here, in the order the contract checks them. */
export function checkAuthorization(
  operation: Operation,
  { caller, input, unreadable }: Call,
  entered: Authorization,
): void {
  if (caller.source === 'LINK') {
    admitByLink(operation, caller, entered)
    return
  }
  if (entered.userId === null || caller.source === 'PUBLIC') throw unknownCaller(caller)
  if (!operation.sources.includes(caller.source)) {
    throw forbidden(
      `This can be done from ${operation.sources.map((source) => source.toLowerCase().replace('_', ' ')).join(' or ')} only.`,
      'SOURCE',
    )
  }
  if (entered.scopes && !allows(entered.scopes, operation.scope)) {
    throw forbidden(`This needs the scope ${operation.scope}, which the credential does not have.`, 'SCOPE')
  }
  if (operation.signedInWithinH && caller.source === 'SESSION') requireRecentSignIn(operation.signedInWithinH, entered)
  admitToOrganization(operation, { input, unreadable }, entered)
}

function admitByLink({ link, reads, linkWrites }: Operation, caller: Caller, { organizationId }: Authorization) {
  if (!link || !(reads || linkWrites) || organizationId === null || organizationId !== caller.link?.organizationId) {
    throw unauthenticated('This link does not open anything here.')
  }
}

export const unknownCaller = (caller: Caller) => unauthenticated(whatIsWrong(caller))

function whatIsWrong({ credential, source }: Caller) {
  if (!credential) return 'Sign in, or send an API key: Authorization: Bearer <key>.'
  if (source === 'OAUTH')
    return 'This access token is not valid: it is unknown, revoked, expired or for another service.'
  return source === 'API_KEY'
    ? 'This API key is not valid: it is unknown, revoked or expired.'
    : 'The session has ended. Sign in again.'
}

function requireRecentSignIn(hours: number, { signedInAgoH }: Authorization) {
  if (signedInAgoH === null || signedInAgoH > hours)
    throw forbidden('Sign in again to do this: it has been a while.', 'SIGN_IN_AGAIN')
}

function admitToOrganization(operation: Operation, { input, unreadable }: Given, entered: Authorization) {
  const { organizationId, role, reachable } = entered
  const named = input.organizationId
  const kind = organizationLookup(operation, input)
  if (kind === 'CALLER' || kind === 'ALL') return
  if (kind === 'NAMED' && typeof named !== 'string') return // the input is refused next
  if (kind === 'ROW' && input[ownerOf(operation).by] === undefined && !unreadable) throw unnamed(operation)
  if (kind === 'ONLY' && unreadable) throw unreadable // it would have said which
  if (kind === 'ONLY' && reachable !== 1) {
    const several = 'Say which organization: organizationId is missing and you belong to several.'
    const none = 'There is no organization to do this in: you belong to none that this credential reaches.'
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
  if (!atLeast(role, operation.role) && !namesThemselves(operation, input, entered)) {
    throw forbidden(`This needs the role ${operation.role} in the organization; yours is ${role}.`, 'ROLE')
  }
}

const namesThemselves = ({ orSelf }: Operation, input: Call['input'], { userId }: Authorization) =>
  orSelf !== undefined && String(input[orSelf]).toLowerCase() === userId
/** An address always names its row; a tool call may forget to. */
function unnamed(operation: Operation) {
  const { by } = ownerOf(operation)
  return invalid(by, `${by} is missing: say which ${resourceNoun(operation.within)}.`)
}

type Given = Pick<Call, 'input'> & { unreadable: Call['unreadable'] }

/** `bankAccounts` is a bank account to people. */
export function resourceNoun(within: OrganizationLookup): string {
  const table = typeof within === 'object' ? within.table : within
  const words = table.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.endsWith('ies') ? `${words.slice(0, -3)}y` : words.replace(/s$/, '')
}
