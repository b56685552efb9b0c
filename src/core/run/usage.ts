import { toSnake } from '../../db/names.ts'
import type { Pool } from '../../db/pool.ts'

/** One call by API key, as the key's usage shows it. */
export type KeyCall = {
  id: string
  apiKeyId: string
  userId: string
  method: string
  path: string
  feature: string | null
  verb: string | null
  statusCode: number
  errorCode: string | null
  durationMs: number
  organizationId: string | null
  createdAt: Date
}

/** The usage record: collected in memory during calls and written once a second. */
export type Usage = {
  note(call: KeyCall): void
  /** Notes that a session was used, which restarts its idle time. */
  seen(sessionId: string): void
  /** Notes that a connected app called. */
  called(appId: string): void
  flush(): Promise<void>
  close(): Promise<void>
}

const everyMs = 1_000
const bufferedMax = 50_000

/** The columns of a call and their types, in the order of the parameters. The time is sent in milliseconds. */
const columns = {
  id: 'uuid', apiKeyId: 'uuid', userId: 'uuid', method: 'text', path: 'text', feature: 'text', verb: 'text',
  statusCode: 'integer', errorCode: 'text', durationMs: 'integer', organizationId: 'uuid', createdAt: 'float8',
} as const satisfies Record<keyof KeyCall, string> // biome-ignore format: a list of words
const fields = Object.keys(columns) as (keyof KeyCall)[]
const names = fields.map(toSnake)

const values = names.map((name) =>
  name === 'created_at' ? 'to_timestamp(c.created_at / 1000) + clock.ahead' : `c.${name}`,
)

// One array for each column, because PostgreSQL reads arrays in half the time that it takes for JSON. Calls carry the time of
// this process; if the clock of the database is ahead or behind by seconds, that is corrected (FLT-07).
const callsText = `with clock as materialized (
    select case when abs(extract(epoch from now() - $1::timestamptz)) > 5 then now() - $1::timestamptz else '0' end as ahead),
  calls as (
    insert into api_key_calls (${names}) select ${values}
    from clock, unnest(${fields.map((field, n) => `$${n + 2}::${columns[field]}[]`)}) as c (${names})
    where exists (select from api_keys k where k.id = c.api_key_id)
    returning api_key_id, created_at)
  update api_keys k set last_used_at = greatest(k.last_used_at, latest.at)
  from (select api_key_id, max(created_at) as at from calls group by api_key_id) latest where k.id = latest.api_key_id`

const callsValues = (calls: KeyCall[]) => [
  new Date(),
  ...fields.map((field) => arrayText(calls.map(({ [field]: value }) => elementOf(value, columns[field])))),
]

/** An array as PostgreSQL reads it. The driver quotes every element, which takes several times as long. */
const arrayText = (elements: (string | number)[]) => `{${elements.join()}}`

function elementOf(value: KeyCall[keyof KeyCall], type: string): string | number {
  if (value === null) return 'NULL'
  if (typeof value === 'object') return value.getTime()
  if (type !== 'text' || typeof value === 'number' || !needsQuotes.test(value)) return value
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}
const needsQuotes = /^(null)?$|[^\w/.:-]/i

const sessionsText = 'update sessions set last_seen_at = now() where id = any ($1::uuid[])'
const appsText = 'update connected_apps set last_used_at = now() where id = any ($1::uuid[])'

export function createUsage(pool: Pool, complain: (error: unknown) => void): Usage {
  let calls: KeyCall[] = []
  let sessions = new Set<string>()
  let apps = new Set<string>()
  let writing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => flush().catch(complain), everyMs)
  timer.unref()

  async function write() {
    const [noted, used, calling] = [calls, [...sessions], [...apps]]
    calls = []
    sessions = new Set()
    apps = new Set()
    if (noted.length + used.length + calling.length === 0) return
    try {
      await pool.use(async (_, connection) => {
        if (noted.length > 0) await connection.query(callsText, callsValues(noted))
        if (used.length > 0) await connection.query(sessionsText, [used])
        if (calling.length > 0) await connection.query(appsText, [calling])
      })
    } catch (error) {
      calls = [...noted, ...calls].slice(-bufferedMax) // the next flush retries
      for (const session of used) sessions.add(session)
      for (const app of calling) apps.add(app)
      throw error
    }
  }

  /** One write at a time, so that when a flush ends everything noted before it is written. */
  function flush() {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  return {
    note: (call) => void (calls.length < bufferedMax && calls.push(call)),
    seen: (sessionId) => void sessions.add(sessionId),
    called: (appId) => void apps.add(appId),
    flush,
    async close() {
      clearInterval(timer)
      await flush().catch(complain)
    },
  }
}
