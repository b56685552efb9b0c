import type { SendStatement } from '../../db/connection.ts'
import type { Database, OwnedTable } from '../../db/database.ts'
import type { FileInput, Upload } from '../files/file.ts'
import type { Bucket } from '../run/rate-limit.ts'
import type { Access, CallerSource, Feature, Role, Scope, Source } from './access.ts'
import type { AccountContext } from './account.ts'
import type { Event } from './event.ts'
import type { Static, TObject, TSchema } from './schema.ts'
import type { Providers, Services } from './services.ts'
import type { Cause } from './subscriber.ts'

export type { Database } from '../../db/database.ts'
export type { Pool } from '../../db/pool.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Where an operation can be called. `api`: over HTTP, as a tool, as an automation action, and described by OpenAPI.
 * `account`: the sign-in and account protocol of browsers. `public-page`: by the signed link of a document.
 */
export type Surface = 'api' | 'account' | 'public-page'

export const onSurface = (operations: readonly Operation[], surface: Surface): readonly Operation[] =>
  operations.filter((operation) => operation.surface === surface)

/** The caller as proven at the door. */
/** Who holds a link is nobody in particular: their `userId` is empty. */
export type Person = {
  userId: string
  source: CallerSource
  keyId: string | null
  sessionId: string | null
  /** The connected app that calls in their name. */
  appId: string | null
  /** What the credential is limited to; null where it has every right of the person. */
  scopes: readonly string[] | null
}
export type Member = Person & { organizationId: string; role: Role }

/** Which organization an operation runs in; see `Within`. */
export type OrganizationLookup = 'caller' | 'organizationId' | OwnedTable | { table: OwnedTable; by: string }

/**
 * What may stand in `within`, given the input: a table where there is an `id` (the organization that owns that row),
 * `{ table, by }` for another field, `'organizationId'` where there is one, `'caller'` for what belongs to a person.
 */
type Within<I extends TObject> =
  | 'caller'
  | ('organizationId' extends keyof Static<I> ? 'organizationId' : never)
  | ('id' extends keyof Static<I> ? OwnedTable : never)
  | { table: OwnedTable; by: keyof Static<I> & string }

type Always<W> = Services & {
  /** For calendar days and the like. What orders or expires rows is the database's clock: `now()`. */
  now: Date
  /** Awaited where needed: the work starts while the door is still answering. */
  who: Promise<W extends 'caller' ? Person : Member>
}

/** Inside: one transaction, confined to one organization. Nothing outside the database happens here. */
export type Inside<W = unknown> = Always<W> & {
  db: Database
  /** Sends a statement at once, as it is: one that nobody waits for travels with the commit, and undoes all if refused. */
  ask: SendStatement
  /**
   * Records that something happened, in this transaction; travels with its commit. Its cause is the call unless more is
   * known of it.
   */
  emit<P extends TSchema>(event: Event<P>, payload: Static<P>, cause?: Partial<Cause>): void
  /** Orders work for later, in this transaction; travels with its commit. */
  enqueue(job: string, payload: object, when?: { runAt?: Date; key?: string }): void
  /** Adds to what the audit trail keeps of this operation: what was there before, say. No secrets. */
  audit(detail: Record<string, unknown>): void
}

/** Outside: talks to the network, so it reads in one short transaction, talks, and writes in another. */
export type Outside<W = unknown> = Always<W> &
  Providers & {
    tx<T>(work: (inside: Inside<W>) => Promise<T>): Promise<T>
    /**
     * The transaction that ends a write: what it does, its audit row and the remembered answer commit together, so that
     * no crash comes in between. What it returns is the answer.
     */
    once<T>(work: (inside: Inside<W>) => Promise<T>): Promise<T>
    /**
     * What this request is known by (a UUID): the same again when it comes again with its Idempotency-Key. What is made
     * under ids that follow from it is made once, though a crash came before the end.
     */
    intent: string
  }

type Definition<I extends TObject, O extends TSchema, W> = {
  /** The tool name of the specification, letter for letter. */
  name: string
  /** `api` unless said otherwise. */
  surface?: Surface
  http: `${Method} /${'api' | 'd'}/${string}`
  /** A sentence for people and agents. */
  does: string
  scope: Scope
  /** The least role in the organization. VIEWER to read and CONTRIBUTOR to write unless said otherwise. */
  role?: Role
  /** Where a caller may come from; everywhere unless said otherwise. */
  sources?: readonly Source[]
  /** Needs no credential: callers with the source PUBLIC. What they must prove, `run` checks. */
  open?: true
  within: W
  /** The field that names a person: whoever names themselves there needs no role, as in leaving. */
  orSelf?: keyof Static<I> & string
  /** Changes nothing, although it is sent as a POST: what it asks is too much for an address. */
  reads?: true
  input: I
  output: O
  /** 201 for what makes something; 200 otherwise. */
  status?: 201
  rate?: Bucket
  /** Further buckets that a valid call counts in, and whose: that of the organization, person, address or field value. */
  alsoRates?: readonly { bucket: Bucket; per: 'organization' | 'person' | 'address' | (keyof Static<I> & string) }[]
  /** How long ago a person with a session may have signed in (WEB-6); a key has no sign-in and is not asked for one. */
  signedInWithinH?: number
  /** The answer holds something shown once: it is remembered sealed and for ten minutes (IDEM-8). */
  secret?: true
  /** Reads what is written behind the call (usage of API keys), so that is written first. */
  flushesUsage?: true
  /**
   * Whoever holds a signed link (`core/secrets/link-token.ts`) with this purpose may read the row `id` without a credential: the link
   * stands in the field `token`. Only for reads, and only of that row.
   */
  link?: string
  /** Whoever holds the link may do this too, though it writes; it must write about that row and nothing else. */
  linkWrites?: true
  /** The name in the audit trail: that of the operation unless said otherwise; null for a write that leaves no row. */
  recordedAs?: string | null
  /** Whether a successful call starts a session for the caller's browser or ends the one it has. */
  session?: 'STARTS' | 'ENDS'
  /** Other names that a tool of this operation is called by. */
  aliases?: readonly string[]
  /** The resource as other operations show it: whoever read it there may send it back here. */
  alsoShown?: TObject
}

export type Operation<N extends string = string, I extends TObject = TObject, O extends TSchema = TSchema> = {
  name: N
  surface: Surface
  http: string
  method: Method
  path: string
  does: string
  feature: Feature
  access: Access
  verb: string
  scope: Scope
  role: Role
  sources: readonly Source[]
  open: boolean
  pool: 'confined' | 'system'
  within: OrganizationLookup
  orSelf?: string
  input: I
  output: O
  status: 200 | 201
  rate: Bucket
  alsoRates: readonly { bucket: Bucket; per: string }[]
  reads: boolean
  signedInWithinH?: number
  link?: string
  linkWrites: boolean
  recordedAs: string | null
  session?: 'STARTS' | 'ENDS'
  aliases: readonly string[]
  alsoShown?: TObject
  /** Takes a file in its field `file`. */
  upload: boolean
  secret: boolean
  flushesUsage: boolean
  /** The call is checked against `input` by the runner before it gets here. */
  run: { outside: false; do(context: Inside, input: Static<I>): Promise<Static<O>> } | OutsideRun<I, O>
}
type OutsideRun<I extends TObject, O extends TSchema> = {
  outside: true
  do(context: Outside & { upload?: Upload }, input: Static<I>): Promise<Static<O>>
}

/** Defines an operation, once for every surface: route, tool, automation action, OpenAPI entry, sweeps. */
export function operation<
  const N extends string,
  const I extends TObject,
  O extends TSchema,
  const W extends Within<I>,
>(
  definition: Definition<I, O, W> & { name: N } & (
      | { pool?: 'confined'; outside?: false; run(context: Inside<W>, input: Static<I>): Promise<Static<O>> }
      | {
          pool?: 'confined'
          outside: true
          upload?: false
          run(context: Outside<W>, input: Static<I>): Promise<Static<O>>
        }
      | {
          /** Not confined to an organization by row security: for what a person does without belonging to one. */
          pool: 'system'
          outside?: false
          run(context: Inside<W> & AccountContext, input: Static<I>): Promise<Static<O>>
        }
      | {
          pool: 'system'
          outside: true
          run(context: Outside<W> & AccountContext, input: Static<I>): Promise<Static<O>>
        }
      | (Static<I> extends { file: FileInput }
          ? {
              pool?: 'confined'
              outside: true
              /** Takes a file, in its field `file`: a `FileInput`. */
              upload: true
              run(context: Outside<W> & { upload: Upload }, input: Static<I>): Promise<Static<O>>
            }
          : never)
    ),
): Operation<N, I, O> {
  const { name, http, scope, run, outside, reads: onlyReads = false, ...rest } = definition
  const [method, path] = http.split(' ') as [Method, string]
  const [feature, access] = scope.split(':') as [Feature, Access]
  const reads = onlyReads || method === 'GET'
  return {
    surface: 'api',
    role: reads ? 'VIEWER' : 'CONTRIBUTOR',
    sources: ['SESSION', 'API_KEY', 'OAUTH', 'AUTOMATION', 'COMPANION'],
    open: false,
    pool: 'confined',
    status: 200,
    rate: reads ? 'reads' : 'writes',
    alsoRates: [],
    linkWrites: false,
    recordedAs: name,
    aliases: [],
    upload: false,
    secret: false,
    flushesUsage: false,
    ...rest,
    name,
    http,
    method,
    path,
    scope,
    feature,
    access,
    verb: name.startsWith(`${feature}_`) ? name.slice(feature.length + 1) : name,
    reads,
    // The two forms differ in their context alone, and `outside` tells which one the runner must bring.
    run: { outside: outside ?? false, do: run } as Operation<N, I, O>['run'],
  }
}
