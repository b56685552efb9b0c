import type { Database, OwnedTable } from '../../db/database.ts'
import type { SendStatement } from '../../db/wire/connection.ts'
import type { FileInput, Upload } from '../files/file.ts'
import type { Answer } from '../run/call.ts'
import type { Bucket } from '../run/rate-limit.ts'
import type { Access, CallerSource, Feature, Role, Scope, Source } from './access.ts'
import type { AccountContext } from './account.ts'
import type { Cause, Event } from './event.ts'
import type { Static, TObject, TSchema } from './schema.ts'
import type { Providers, Services } from './services.ts'

export type { Database } from '../../db/database.ts'
export type { Pool } from '../../db/pool.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Where an operation can be called. `api`: over HTTP, as a tool, as an automation action, and described by OpenAPI.
 * `account`: the sign-in and account protocol of browsers. `public-page`: by the signed link of a document. `redirect`: when
 * another service sends a person's browser back here; the page beside it runs the operation and shows its result.
 */
export type Surface = 'api' | 'account' | 'public-page' | 'redirect'

export const onSurface = (operations: readonly Operation[], surface: Surface): readonly Operation[] =>
  operations.filter((operation) => operation.surface === surface)

/** The authorized caller. The holder of a link is no known person: their `userId` is empty. */
export type Person = {
  userId: string
  source: CallerSource
  keyId: string | null
  sessionId: string | null
  /** The connected app that calls in the person's name. */
  appId: string | null
  /** SHA-256 of the key, token or session secret, for work that goes on later with the same rights. Null inside the product. */
  credential: Buffer | null
  /** The scopes of the credential; null if it has every right of the person. */
  scopes: readonly string[] | null
  /** In a run of an automation: who saved its graph. `userId` is who tested or replayed it, or else the owner. Null outside of runs. */
  authorUserId: string | null
  /** In a run of an automation: the run, whose rights the call has. */
  runId: string | null
  /** In whose interest the call acts: `userId`, and in a run everybody who owns, saved, tested or replayed it. */
  actingFor: readonly string[]
}
export type Member = Person & { organizationId: string; role: Role }

/** Which organization an operation runs in; see `Within`. */
export type OrganizationLookup = 'caller' | 'organizationId' | OwnedTable | OwnedRow<string>

/** A row that another field than `id` names, or a document or payment of another kind than sales. */
type OwnedRow<Field> = {
  table: OwnedTable
  by: Field
  kind?: string
  /** The client chose the id, and it is unique among the rows of the caller alone. */
  idOf?: 'caller'
}

/**
 * What `within` may be, given the input: a table where there is an `id` (the organization that owns that row),
 * `{ table, by }` for another field, `'organizationId'` where there is one, `'caller'` for what belongs to a person.
 */
type Within<I extends TObject> =
  | 'caller'
  | ('organizationId' extends keyof Static<I> ? 'organizationId' : never)
  | ('id' extends keyof Static<I> ? OwnedTable : never)
  | OwnedRow<keyof Static<I> & string>

type Always<W> = Services & {
  /** For calendar days. Rows are ordered and expired by the clock of the database: `now()`. */
  now: Date
  /** A promise, because the work starts before the authorization is answered. */
  who: Promise<W extends 'caller' ? Person : Member>
}

/** Inside: one transaction, confined to one organization. Nothing outside the database happens here. */
export type Inside<W = unknown> = Always<W> & {
  db: Database
  /** Sends a statement at once. One that is not awaited travels with the commit; if it fails, all is rolled back. */
  ask: SendStatement
  /**
   * Records an event in this transaction; the statements travel with its commit. The cause of the event is this call, unless
   * more is given.
   */
  emit<P extends TSchema>(event: Event<P>, payload: Static<P>, cause?: Partial<Cause>): void
  /** Records many events of one type, in one statement. */
  emitAll<P extends TSchema>(event: Event<P>, payloads: readonly Static<P>[]): void
  /** Enqueues a job in this transaction; the statement travels with its commit. */
  enqueue(job: string, payload: object, when?: { runAt?: Date; key?: string }): void
  /** The version that the caller has read and wants to change (If-Match); undefined if the call names none. */
  expectedVersion?: number | undefined
  /** The same for what has no version but the time of its last change; `none` for what was never changed. */
  expectedUpdatedAt?: string | undefined
  /** Adds details to the audit row of this operation, for example the values before a change. No secrets. */
  audit(detail: Record<string, unknown>): void
}

/** Outside: talks to the network, so it reads in one short transaction, talks, and writes in another. */
export type Outside<W = unknown> = Always<W> &
  Providers & {
    tx<T>(work: (inside: Inside<W>) => Promise<T>): Promise<T>
    /** The same for a read that may take long: an organization has two of them at a time, as of previews. */
    heavyTx<T>(work: (inside: Inside<W>) => Promise<T>): Promise<T>
    /**
     * The last transaction of a write: its work, the audit row and the remembered answer commit together. What it returns
     * is the answer.
     */
    once<T>(work: (inside: Inside<W>) => Promise<T>): Promise<T>
    /**
     * The id of this request (a UUID), the same for every retry with its Idempotency-Key. Objects whose ids are derived
     * from it are created once, even if a crash interrupts the first attempt.
     */
    intent: string
    /**
     * Runs another operation for the caller, as if they had called it: with its own transactions, rights, limits and audit row.
     * `part` names it among those of this request, so that a retry with the same Idempotency-Key repeats none of them.
     */
    call(operation: Operation, input: Record<string, unknown>, part: string): Promise<Answer>
  }

type Definition<I extends TObject, O extends TSchema, W> = {
  /** The tool name of the specification, letter for letter. */
  name: string
  /** `api` unless said otherwise. */
  surface?: Surface
  http: `${Method} /${'api' | 'd'}/${string}`
  /** A sentence for people and agents. */
  does: string
  /** The country whose law alone needs it; the web app offers it nowhere else. */
  country?: string
  scope: Scope
  /** The least role in the organization. VIEWER to read and CONTRIBUTOR to write unless said otherwise. */
  role?: Role
  /** The kinds of callers that are allowed; all of them unless given. */
  sources?: readonly Source[]
  /** Needs no credential: callers with the source PUBLIC. What they must prove, `run` checks. */
  open?: true
  within: W
  /** The field that names a person: a caller who names themselves there needs no role, for example to leave. */
  orSelf?: keyof Static<I> & string
  /** Changes nothing, although it is a POST: its input is too long for a query. */
  reads?: true
  input: I
  output: O
  /** 201 for an operation that creates something; 200 otherwise. */
  status?: 201
  rate?: Bucket
  /** Further rate-limit buckets that a valid call counts against: of the organization, person, address or field value. */
  alsoRates?: readonly { bucket: Bucket; per: 'organization' | 'person' | 'address' | (keyof Static<I> & string) }[]
  /** How long ago the sign-in of a session may be (WEB-6). API keys have no sign-in and are not checked. */
  signedInWithinH?: number
  /** The answer contains a secret that is shown once: it is remembered sealed and for ten minutes (IDEM-8). */
  secret?: true
  /** Reads the usage of API keys, which is written after the calls, so that is flushed first. */
  flushesUsage?: true
  /**
   * The holder of a signed link (`core/secrets/link-token.ts`) with this purpose may read the row `id` without a credential.
   * The link is in the field `token`. Only for reads, and only of that row.
   */
  link?: string
  /** The holder of the link may do this too, although it writes; it must write to that row only. */
  linkWrites?: true
  /** The name in the audit trail: that of the operation unless given; null for a write that leaves no row. */
  recordedAs?: string | null
  /** Whether a successful call starts a session for the caller's browser or ends the one it has. */
  session?: 'STARTS' | 'ENDS'
  /** Other names of the tool of this operation. */
  aliases?: readonly string[]
  /** The resource as other operations return it: its fields may be sent back here. */
  alsoShown?: TObject
  /**
   * The answer has a `version`, which is sent as the header ETag (SHOWN). CHECKED: the call may also name the version that it
   * changes, with If-Match; `run` compares it with `expectedVersion`, or with `expectedUpdatedAt` (`requireUnchanged`).
   */
  version?: 'SHOWN' | 'CHECKED'
  /** The field of the answer that is its version: `version` unless given. */
  versionField?: 'version' | 'updatedAt'
  /**
   * The answer is `{ events, lastEventId, hasMore }`, made with `withTopic`. HTTP sends it as server-sent events, and keeps the
   * stream open for those that follow (http/streams).
   */
  streams?: true
  /** How long an open stream collects what happens before it is read again. Many open streams collect longer. */
  collectsMs?: number
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
  country?: string
  signedInWithinH?: number
  link?: string
  linkWrites: boolean
  recordedAs: string | null
  session?: 'STARTS' | 'ENDS'
  aliases: readonly string[]
  alsoShown?: TObject
  version?: 'SHOWN' | 'CHECKED'
  versionField: 'version' | 'updatedAt'
  streams: boolean
  collectsMs?: number
  /** Takes a file in its field `file`. */
  upload: boolean
  heavy: boolean
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
      | {
          pool?: 'confined'
          outside?: false
          /**
           * A read that may keep PostgreSQL busy for seconds: a preview, a report, an export. It has connections of its own,
           * and at most two of one organization run at the same time; a third waits five seconds and is refused with 429.
           */
          heavy?: true
          run(context: Inside<W>, input: Static<I>): Promise<Static<O>>
        }
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
          : Static<I> extends { file?: FileInput | null }
            ? {
                pool?: 'confined'
                outside: true
                /** Takes a file if one is given. */
                upload: true
                run(context: Outside<W> & { upload?: Upload }, input: Static<I>): Promise<Static<O>>
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
    heavy: false,
    secret: false,
    flushesUsage: false,
    streams: false,
    versionField: 'version',
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
    // The two forms differ only in their context, and `outside` tells the runner which one to pass.
    run: { outside: outside ?? false, do: run } as Operation<N, I, O>['run'],
  }
}
