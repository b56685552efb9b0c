import { type RawBuilder, sql } from 'kysely'
import { tooMany, unauthenticated } from '../../core/define/failure.ts'
import type { Static } from '../../core/define/schema.ts'
import { withConnection } from '../../core/run/connection.ts'
import { enqueueJob } from '../../core/run/record.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { newId } from '../../core/values/id.ts'
import type { Database } from '../../db/database.ts'
import type { Pool } from '../../db/pool.ts'
import { type AccountMail, accountMailName } from './account-mail.ts'
import { hashPassword, isPassword } from './password.ts'
import type { SignIn, SignUp } from './person.ts'
import { secondFactor } from './second-factor.ts'
import { startSession } from './session.ts'

/** Where a request came from, as far as a session remembers it. */
export type Origin = { address: string; userAgent: string | null }

/** The address that failures are counted by, and how much the limits are scaled. */
export type Counting = { countedAddress: string; scale: number }

type Newcomer = Static<typeof SignUp> & Pick<AccountMail, 'language'>

/** Makes an account, signs it in, and asks by mail whether the address is theirs. */
export async function signUp(pool: Pool, { name, email, password, language }: Newcomer, origin: Origin) {
  const passwordHash = await hashPassword(password)
  return withConnection(pool, true, async ({ db, connection }) => {
    const user = { id: newId(), name, email, passwordHash }
    await db.insertInto('users').values(user).execute()
    const mail: AccountMail = { about: 'VERIFY_EMAIL', email, language }
    await enqueueJob(connection, accountMailName, mail)
    return startSession(db, { userId: user.id, remember: false, ...origin })
  })
}

/** Signs in, or says the same of a wrong password and an unknown address. */
export async function signIn(
  { pool, secrets }: { pool: Pool; secrets: Secrets },
  { email, password, code, remember = false }: Static<typeof SignIn>,
  origin: Origin,
  counting: Counting,
) {
  const attempt = attemptOf(email, counting)
  await pool.use((db) => count(db, attempt))
  const user = await pool.use((db) => findUser(db, email))
  const right = await isPassword(password, user?.passwordHash).catch(async (error) => {
    await pool.use((db) => takeBack(db, attempt)) // nobody looked at the password
    throw error
  })
  if (!right || !user) throw unauthenticated('The e-mail address or the password is wrong.', 'WRONG_CREDENTIALS')
  // No session before everything is proven (THR-10).
  const second = await pool.use((db) => secondFactor(db, secrets, { userId: user.id, code }))
  if (second === 'MISSING') {
    await pool.use((db) => takeBack(db, attempt)) // half the way is no failure
    throw unauthenticated('Enter the code that your authenticator app shows, or a recovery code.', 'SECOND_FACTOR')
  }
  if (second === 'WRONG') throw unauthenticated('That code is wrong, or was used before.', 'WRONG_CODE')
  return pool.use(async (db) => {
    const { account, address, perAddress } = attempt
    await sql`select record_sign_in_success(${account}, ${address}, ${perAddress})`.execute(db)
    return startSession(db, { userId: user.id, remember, ...origin })
  })
}

type Attempt = { account: RawBuilder<string>; perAccount: number; address: string; perAddress: number }

/** How many failures an account and an address may have before they wait (RATE). */
const attemptOf = (email: string, { countedAddress, scale }: Counting): Attempt => ({
  account: sql`'account:' || ${small(email)}`,
  perAccount: Math.max(1, Math.round(5 * scale)),
  address: `address:${countedAddress}`,
  perAddress: Math.max(1, Math.round(20 * scale)),
})

async function count(db: Database, { account, perAccount, address, perAddress }: Attempt) {
  const { rows } = await sql<{ wait: number }>`
    select count_sign_in(${account}, ${perAccount}, ${address}, ${perAddress}) as wait`.execute(db)
  const waitS = rows[0]?.wait ?? 0
  if (waitS > 0) throw tooMany('failed sign-ins', Math.ceil(waitS))
}

const takeBack = (db: Database, { account, perAccount, address, perAddress }: Attempt) =>
  sql`select subtract_sign_in_failure(${account}, ${perAccount}), subtract_sign_in_failure(${address}, ${perAddress})`.execute(
    db,
  )

/** In PostgreSQL's small letters, as accounts are kept apart by: JavaScript has others, for İ say. */
const small = (email: string) => sql<string>`lower(${email}::text)`

const findUser = (db: Database, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'passwordHash'])
    .where(sql`lower(email)`, '=', small(email))
    .where('disabledAt', 'is', null)
    .executeTakeFirst()
